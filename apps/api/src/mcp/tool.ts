import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { OwnCall, OwnOperations } from '../http/index.ts';

/** The API as the caller of a tool has it. */
export interface ToolApi {
  /** Calls an operation. @returns its body @throws DomainError its refusal */
  call(call: OwnCall): ReturnType<OwnOperations['call']>;
  /** Waits for the end of a generation, no longer than `seconds`. */
  waitFor(generationId: number, seconds: number): Promise<void>;
  /** The bytes of a stored file of the workspace. */
  bytesAt(url: string): Promise<Buffer>;
}

/** A tool with the types of its arguments erased. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly isRead: boolean;
  readonly run: (args: never, api: ToolApi) => Promise<CallToolResult>;
}

interface Definition<Fields extends z.ZodRawShape> {
  readonly title: string;
  /** Its effect, when to use it, and where it costs how to learn the price before. */
  readonly description: string;
  readonly fields: Fields;
  readonly run: (args: z.infer<z.ZodObject<Fields>>, api: ToolApi) => Promise<object>;
}

/** A tool that changes nothing. */
export function readTool<Fields extends z.ZodRawShape>(name: string, definition: Definition<Fields>): Tool {
  return toolOf(name, definition, true);
}

const REQUEST_ID = {
  request_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Any text that is unique to this call. The same call with the same text again has no second effect.'),
};

/** The `Idempotency-Key` of a step of a call with a `request_id`. */
type KeyOf = (step: string) => string | undefined;

/** A tool that changes something, once for each `request_id`. */
export function changeTool<Fields extends z.ZodRawShape>(
  name: string,
  {
    run,
    ...definition
  }: Omit<Definition<Fields>, 'run'> & {
    readonly run: (args: z.infer<z.ZodObject<Fields>>, api: ToolApi, key: KeyOf) => Promise<object>;
  },
): Tool {
  const called: Definition<z.ZodRawShape>['run'] = ({ request_id: id, ...args }, api) =>
    run(args as z.infer<z.ZodObject<Fields>>, api, (step) =>
      id === undefined
        ? undefined
        : createHash('sha256')
            .update(JSON.stringify([name, step, id]))
            .digest('hex'),
    );
  return toolOf(name, { ...definition, fields: { ...definition.fields, ...REQUEST_ID }, run: called }, false);
}

function toolOf<Fields extends z.ZodRawShape>(
  name: string,
  { title, description, fields, run }: Definition<Fields>,
  isRead: boolean,
): Tool {
  const called = async (args: z.infer<z.ZodObject<Fields>>, api: ToolApi): Promise<CallToolResult> => {
    const { image, ...facts } = (await run(args, api)) as { image?: { bytes: Buffer; contentType: string } };
    const text = { type: 'text', text: JSON.stringify(facts) } as const;
    if (!image) return { structuredContent: facts, content: [text] };
    const shown = { type: 'image', data: image.bytes.toString('base64'), mimeType: image.contentType } as const;
    return { structuredContent: facts, content: [text, shown] };
  };
  return { name, title, description, input: z.strictObject(fields), isRead, run: called as Tool['run'] };
}
