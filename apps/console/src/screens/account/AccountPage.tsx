import { Page } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { EmailSection } from './EmailSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

/** The user's own account. */
export function AccountPage() {
  return (
    <Page title={words.account.title}>
      <ProfileSection />
      <EmailSection />
      <PasswordSection />
      <TwoFactorSection />
      <SessionsSection />
    </Page>
  );
}
