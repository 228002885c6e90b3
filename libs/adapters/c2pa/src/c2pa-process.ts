import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initSync, WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import type { FoundManifest, ManifestFacts } from '#sources';
import { coseSign1, signatureLength, type SigningKey } from './cose.ts';
import { FileReaderSync, SynchronousBlob } from './synchronous-blob.ts';
import type { C2paOrder, C2paReply, C2paTask } from './c2pa-tasks.ts';

// A process that signs and verifies. Its memory never shrinks: its parent replaces it.

/** A thumbnail of the asset would multiply its size; what has just been signed needs no verification. */
const BUILDING = JSON.stringify({
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false, remote_manifest_fetch: false },
});

process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => {});
Object.assign(globalThis, { FileReaderSync });
initSync({ module: readFileSync(createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm')) });
process.on('message', (order: C2paOrder) => void perform(order).then((reply) => process.send!(reply)));

async function perform(order: C2paOrder): Promise<C2paReply> {
  const { task, trusted } = order;
  if (task.kind === 'find') return { manifest: await find(task.file, task.contentType, trusted) };
  try {
    await writeFile(task.target, await signedBytesOf(task, order));
    return { isSigned: true };
  } catch (error) {
    return { isSigned: false, reason: String(error) };
  }
}

async function signedBytesOf(
  { file, contentType, facts }: Extract<C2paTask, { kind: 'sign' }>,
  { key, generator }: C2paOrder,
): Promise<Uint8Array> {
  if (!key) throw new Error('there is no key');
  const signingKey: SigningKey = {
    key: createPrivateKey(key.pem),
    algorithm: key.algorithm,
    chain: key.chain.map((certificate) => Buffer.from(certificate, 'base64')),
  };
  using builder = WasmBuilder.fromJson(JSON.stringify(definitionOf(contentType, facts, generator)), BUILDING);
  const { parent } = facts;
  if (parent) {
    builder.setIntent('edit');
    const ingredient = JSON.stringify({ title: 'original', relationship: 'parentOf' });
    const bytes = await readFile(parent.file);
    await builder.addIngredientFromBlob(ingredient, parent.contentType, new SynchronousBlob(bytes));
  }
  const signer = {
    alg: signingKey.algorithm.name,
    reserveSize: signatureLength(signingKey),
    sign: async (claim: Uint8Array) => new Uint8Array(coseSign1(claim, signingKey)),
  };
  // The builder is freed at the end.
  return await builder.sign(signer, [], contentType, new SynchronousBlob(await readFile(file)));
}

function definitionOf(
  format: string,
  { digitalSource: digitalSourceType, title, model, parent }: ManifestFacts,
  generator: C2paOrder['generator'],
) {
  const softwareAgent = model === null ? {} : { softwareAgent: { name: model } };
  const action = { action: parent ? 'c2pa.edited' : 'c2pa.created', digitalSourceType, ...softwareAgent };
  return {
    claim_generator_info: [generator],
    title,
    format,
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] } }],
  };
}

/** The parts of a manifest store that are read. */
interface Store {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, StoredManifest>>;
  readonly validation_state?: string;
}

interface StoredManifest {
  readonly signature_info?: { readonly common_name?: string; readonly issuer?: string };
  readonly assertions?: readonly {
    readonly label?: string;
    readonly data?: { readonly actions?: readonly Action[] };
  }[];
}

interface Action {
  readonly digitalSourceType?: string;
}

async function find(file: string, contentType: string, trusted: string): Promise<FoundManifest | null> {
  const settings = JSON.stringify({
    trust: trusted === '' ? {} : { trust_anchors: trusted },
    verify: { verify_trust: trusted !== '', remote_manifest_fetch: false },
  });
  let reader: WasmReader;
  try {
    reader = await WasmReader.fromBytes(contentType, await readFile(file), settings);
  } catch {
    return null;
  }
  try {
    const { active_manifest: active, manifests = {}, validation_state: state } = JSON.parse(reader.json()) as Store;
    const { signature_info: signature, assertions = [] } = manifests[active ?? ''] ?? {};
    const actions = assertions.flatMap(({ label, data }) =>
      label?.startsWith('c2pa.actions') ? (data?.actions ?? []) : [],
    );
    return {
      signer: signature?.common_name ?? signature?.issuer ?? null,
      intact: state === 'Valid' || state === 'Trusted',
      trusted: state === 'Trusted',
      digitalSource: actions.findLast(({ digitalSourceType }) => digitalSourceType)?.digitalSourceType ?? null,
    };
  } finally {
    reader.free();
  }
}
