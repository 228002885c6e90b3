import { Stack, Text } from '@mantine/core';
import { CodeSample } from '../../ui/index.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

const RECEIVER = `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@x12/client/webhooks';

createServer(async (request, response) => {
  try {
    const body = await text(request);
    const event = verifyWebhook(body, request.headers, process.env.X12_WEBHOOK_SECRET!);
    console.log(event.type, event.data.generation_id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);`;

/** Explains how a receiver verifies a call, and when calls are repeated. */
export function VerifyCalls() {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {words.verifyWhat}
      </Text>
      <CodeSample label={words.verifyLabel} code={RECEIVER} />
      <ul className={classes.rules}>
        {words.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Stack>
  );
}
