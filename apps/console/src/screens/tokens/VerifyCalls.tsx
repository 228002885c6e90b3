import { Stack } from '@mantine/core';
import { useState } from 'react';
import { ActionButton, CodeSample, Hint } from '../../ui/index.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

const receiver = (verify: string, secret: string, logged: string) => `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ${verify} } from '@x12/client/webhooks';

createServer(async (request, response) => {
  try {
    const body = await text(request);
    const event = ${verify}(body, request.headers, process.env.${secret}!);
    console.log(event.type, ${logged});
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);`;

const RECEIVERS = {
  event: receiver('verifyEvent', 'X12_ENDPOINT_SECRET', 'event.subject, event.data'),
  call: receiver('verifyWebhook', 'X12_WEBHOOK_SECRET', 'event.data.generation_id'),
};

/** Explains how a receiver verifies an event of an endpoint or the call at the end of a generation, and when it is repeated. */
export function VerifyCalls({ of }: { readonly of: keyof typeof RECEIVERS }) {
  const [isOpen, open] = useState(false);
  const toggle = (
    <ActionButton
      label={words.verify[of]}
      variant="subtle"
      mt={8}
      style={{ alignSelf: 'flex-start' }}
      aria-expanded={isOpen}
      onClick={() => open(!isOpen)}
    />
  );
  if (!isOpen) return toggle;
  return (
    <Stack gap="md">
      {toggle}
      <Hint>{words.verifyWhat}</Hint>
      <CodeSample label={words.verifyLabel} code={RECEIVERS[of]} />
      <ul className={classes.rules}>
        {[...words.rules, ...(of === 'event' ? words.endpoints.rules : [])].map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Stack>
  );
}
