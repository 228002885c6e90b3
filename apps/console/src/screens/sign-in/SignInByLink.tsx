import { useEffect, useRef, useState } from 'react';
import { forgetLinkSecret } from '../../shell/index.ts';
import { ErrorNotice, isUnreachable, Loading } from '../../ui/index.ts';
import { signInByLink } from './account.ts';
import { Entrance } from './Entrance.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';
import { words } from './words.ts';

const text = words.link;

/** Signs in by the link that opened the page. If that fails, it shows the error and the other ways to sign in. */
export function SignInByLink({ secret, onDone }: { readonly secret: string; readonly onDone: () => unknown }) {
  const [error, setError] = useState<unknown>(null);
  const [challenge, setChallenge] = useState<string | null>(null);
  const begun = useRef(false);
  const begin = () => {
    setError(null);
    signInByLink({ link: secret })
      .finally(forgetLinkSecret)
      .then((asked) => (asked === null ? onDone() : setChallenge(asked)))
      .catch(setError);
  };
  useEffect(() => {
    // Strict mode runs effects twice, and the link works once.
    if (begun.current) return;
    begun.current = true;
    begin();
  });
  if (challenge !== null) {
    // The link works once: another sign-in needs another way.
    return <SecondFactor challenge={challenge} onDone={onDone} onBack={() => location.assign('/console/sign-in')} />;
  }
  if (!error) return <Entrance title={text.opening} children={<Loading rows={2} />} />;
  if (isUnreachable(error)) {
    return <Entrance title={text.opening} children={<ErrorNotice error={error} onRetry={begin} />} />;
  }
  return (
    <SignInOrUp title={text.refused} hint={text.refusedHint} first="token" onDone={onDone}>
      <ErrorNotice error={error} />
    </SignInOrUp>
  );
}
