import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { shownSettings } from '#config';
const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'docs', 'kubernetes');
const FOLDERS = ['base', 'ingress', 'large', 'backup'];

interface PodSpec {
  readonly securityContext: object;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly containers: readonly {
    readonly image: string;
    readonly envFrom: readonly object[];
    readonly securityContext: object;
    readonly resources: { readonly limits: { readonly memory?: string } };
  }[];
}

interface Templated {
  readonly template: { readonly spec: PodSpec };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Pod specs of deployments, jobs and the templates of jobs. */
function podsOf({ kind, spec }: Manifest): PodSpec[] {
  if (kind === 'CronJob') return [(spec!.jobTemplate as { spec: Templated }).spec.template.spec];
  return kind === 'Deployment' || kind === 'Job' ? [(spec as unknown as Templated).template.spec] : [];
}

const parse = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);

/** The manifests of a folder as they stand in its files. */
function written(folder: string): Manifest[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) => parse(readFileSync(join(FOLDER, folder, file), 'utf8')));
}

const moduleOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('keda.sh/') ? `@kubernetes-models/keda/${apiVersion}` : `kubernetes-models/${apiVersion}`;

/** Violations of the schemas: missing and unknown fields, and values of a wrong type. As `Kind name: problem`. */
async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const unknown = typeProblems(
    manifests.map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
    }),
  );
  const wrong = await Promise.all(manifests.map(valueProblems));
  return manifests.flatMap(({ kind, metadata }, index) =>
    [...(unknown.get(index) ?? []), ...wrong[index]!].map((problem) => `${kind} ${metadata.name}: ${problem}`),
  );
}

/** By the compiler, which knows the fields of each type. @returns the problems of each line that has some */
function typeProblems(lines: readonly string[]): Map<number, string[]> {
  const file = join(ROOT, 'test', 'architecture', 'rendered.mts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const text = lines.join('\n');
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], options, host);
  const found = new Map<number, string[]>();
  for (const { file: at, start, messageText } of program.getSemanticDiagnostics(program.getSourceFile(file))) {
    const line = at!.getLineAndCharacterOfPosition(start!).line;
    found.set(line, [...(found.get(line) ?? []), ts.flattenDiagnosticMessageText(messageText, ' ')]);
  }
  return found;
}

/** By the schema of the kind, which knows patterns and ranges. */
async function valueProblems(manifest: Manifest): Promise<string[]> {
  const kinds = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => { validate(): void }>;
  try {
    new kinds[manifest.kind]!(manifest).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

const kubectl = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'kubectl'))
  .find((file) => existsSync(file));

describe('The manifests for Kubernetes', () => {
  it('are what the schemas allow, as they are written', async () => {
    const all = FOLDERS.flatMap(written);
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Job', 'NetworkPolicy', 'ScaledObject']));
    expect(await problemsOf(all)).toEqual([]);
  });

  it('would be refused with an unknown field, a wrong type or a wrong value', async () => {
    const [api] = written('base').filter(({ kind }) => kind === 'Deployment');
    const [ingress] = written('ingress');
    const problems = await problemsOf([
      { ...api!, spec: { ...api!.spec, replica: 2 } },
      { ...api!, spec: { ...api!.spec, replicas: 'two' } },
      { ...ingress!, spec: { ...ingress!.spec, rules: [{ http: { paths: [{ path: '/', backend: {} }] } }] } },
    ]);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Deployment x12-api: .*"replica"/),
        expect.stringMatching(/Deployment x12-api: .*not assignable/),
        expect.stringMatching(/Ingress x12: .*pathType/),
      ]),
    );
  });

  it('end each job that hangs', () => {
    const jobs = FOLDERS.flatMap(written).filter(({ kind }) => ['Job', 'CronJob'].includes(kind));
    const deadlines = jobs.map(({ kind, metadata, spec }) => {
      const job = (kind === 'CronJob' ? (spec!.jobTemplate as { spec: object }).spec : spec) as Record<string, unknown>;
      return [metadata.name, typeof job.activeDeadlineSeconds];
    });
    const names = ['x12-cli', 'x12-migrate', 'x12-storage-setup', 'x12-backup'];
    expect(deadlines).toEqual(names.map((name) => [name, 'number']));
  });

  it('let Prometheus find the pods by the names that the alerts use, and have the rules of docs/monitoring', () => {
    const [api, worker, rules] = written('monitoring');
    for (const [monitor, name] of [
      [api, 'x12-api'],
      [worker, 'x12-worker'],
    ] as const) {
      expect(monitor).toMatchObject({
        kind: 'PodMonitor',
        spec: {
          jobLabel: 'app.kubernetes.io/name',
          selector: { matchLabels: { 'app.kubernetes.io/name': name } },
          podMetricsEndpoints: [{ port: 'metrics' }],
        },
      });
    }
    const [alerts] = parse(readFileSync(join(ROOT, 'docs', 'monitoring', 'alerts.yml'), 'utf8'));
    expect([rules!.kind, rules!.spec]).toEqual(['PrometheusRule', alerts]);
  });

  it('let pods reach collectors, issuers and stores beside the engines, and scale workers by exports too', () => {
    const out = written('base').find(({ metadata }) => metadata.name === 'x12-out')!;
    const { egress } = out.spec as { egress: { to: unknown; ports?: { port: number }[] }[] };
    const portsTo = (label: string) =>
      egress
        .filter(({ to }) => JSON.stringify(to).includes(label))
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    expect(portsTo('x12.engines')).toEqual(expect.arrayContaining([443, 8080, 8443, 9000, 7480]));
    expect(portsTo('"monitoring"')).toEqual([4318]);
    const [workers] = written('large').filter(({ kind }) => kind === 'ScaledObject');
    expect(JSON.stringify(workers)).toContain(`queue in ('generations', 'outputs', 'pictures', 'exports')`);
  });

  it('name files that exist, in comments too', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(yaml|env|md)$/.test(name),
    );
    const named = files.flatMap((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      const paths = [...text.matchAll(/(?<![\w/])(\.\.\/[\w./-]+\.yaml|docs\/[\w./-]+\.(?:md|yml))/g)].map(
        ([path]) => path,
      );
      return paths.map((path) => (path.startsWith('docs/') ? join(ROOT, path) : join(FOLDER, name, '..', path)));
    });
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('give settings that exist, and no secret but by name', () => {
    const known = new Set(shownSettings({ environment: {} }).map(({ variable }) => variable));
    const text = readFileSync(join(FOLDER, 'base', 'settings.env'), 'utf8');
    const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);
    expect(settings.length).toBeGreaterThan(5);
    for (const [name, value] of settings) {
      expect([name, known.has(name)]).toEqual([name, true]);
      expect(name).not.toMatch(/(TOKEN|KEY|SECRET|PASSWORD|DATABASE_URL|REDIS_URL|SMTP_URL)/);
      expect(value).not.toMatch(/:\/\/[^/]*@/);
    }
    expect(FOLDERS.flatMap(written).filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  const rendered = kubectl ? it.each(['small', 'large']) : it.skip.each(['small', 'large']);
  rendered('are what the schemas allow, as %s renders them', async (overlay) => {
    const all = parse(execFileSync(kubectl!, ['kustomize', join(FOLDER, overlay)], { encoding: 'utf8' }));
    expect(await problemsOf(all)).toEqual([]);
    const pods = all.flatMap(podsOf);
    expect(pods).toHaveLength(5);
    const settings = all.find(({ kind }) => kind === 'ConfigMap')!.metadata.name;
    expect(settings).toMatch(/^x12-settings-\w{10}$/);
    expect(all).toContainEqual(
      expect.objectContaining({ kind: 'ServiceAccount', automountServiceAccountToken: false }),
    );
    for (const { containers, securityContext, ...pod } of pods) {
      expect(pod).toMatchObject({ serviceAccountName: 'x12', automountServiceAccountToken: false });
      expect(containers[0]!.envFrom[0]).toEqual({ configMapRef: { name: settings } });
      const { image, resources, ...container } = containers[0]!;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(image).toMatch(/^registry\.example\/x12(-worker)?:\d/);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources.limits.memory).toBeDefined();
    }
    const spread = pods.flatMap(({ topologySpreadConstraints = [] }) => topologySpreadConstraints);
    expect(spread.map(({ topologyKey }) => topologyKey).sort()).toEqual([
      ...Array<string>(2).fill('kubernetes.io/hostname'),
      ...Array<string>(2).fill('topology.kubernetes.io/zone'),
    ]);
    const scaled = all.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec!.replicas);
    expect(scaled).toEqual(overlay === 'small' ? [2, 2] : [undefined, undefined]);
  });
});
