import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Container {
  readonly image: string;
  readonly user?: string;
  readonly tmpfs?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

const file = join(import.meta.dirname, '..', '..', 'docker-compose.yml');
const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as { services: Record<string, Container> };
const containers = Object.entries(services);

describe('Each container of docker-compose.yml', () => {
  it('has no capability, no way to get one, and a root file system that it cannot write', () => {
    expect(containers.length).toBeGreaterThan(10);
    for (const [name, { read_only, cap_drop, cap_add, security_opt }] of containers) {
      expect({ name, read_only, cap_drop, cap_add, security_opt }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: undefined,
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('is of an image of ours, which runs as another user than root, or names the user', () => {
    const ofOthers = containers.filter(([, { image }]) => !image.startsWith('x12'));
    expect(ofOthers.map(([name, { user }]) => [name, user])).toEqual([
      ['postgres', 'postgres'],
      ['valkey', 'valkey'],
    ]);
    for (const folder of ['.', 'scripts/proxy', 'scripts/mail-catcher', 'scripts/s3-gateway']) {
      expect(readFileSync(join(file, '..', folder, 'Dockerfile'), 'utf8')).toMatch(/^USER (?!root)\w+$/m);
    }
  });

  it('has an image with /tmp for everyone, which would belong to root after a restart otherwise', () => {
    for (const folder of ['.', 'scripts/mail-catcher']) {
      const dockerfile = readFileSync(join(file, '..', folder, 'Dockerfile'), 'utf8');
      expect(dockerfile).toMatch(/^FROM scratch/m);
      expect(dockerfile).toContain('install -d -m 1777 /system/tmp');
    }
  });

  it('has limits of memory, processes and logs', () => {
    for (const [name, { mem_limit, pids_limit, logging }] of containers) {
      expect([name, typeof mem_limit, typeof pids_limit]).toEqual([name, 'string', 'number']);
      expect(Object.keys(logging!.options).sort()).toEqual(['max-file', 'max-size']);
    }
  });
});

describe('The proxy of docker-compose.yml', () => {
  const read = (name: string) => readFileSync(join(file, '..', 'scripts', 'proxy', name), 'utf8');

  it('is replaced at once: its end does not wait for open streams', () => {
    expect(read('Dockerfile')).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(services.proxy!.stop_grace_period).toBeUndefined();
  });

  it('reads its configuration anew on a signal, from the clone, and leaves requests in flight ten minutes', () => {
    expect(read('Dockerfile')).toMatch(/^CMD \["haproxy", "-W",/m);
    expect(read('Dockerfile')).not.toContain('COPY haproxy.cfg');
    expect(services.proxy!.volumes).toContain('./scripts/proxy:/etc/haproxy:ro');
    expect(read('haproxy.cfg')).toMatch(/^ {2}hard-stop-after 10m$/m);
  });
});

it('The programs of docker-compose.yml get the variables that Node and OpenTelemetry read themselves', () => {
  const { environment } = services.api as unknown as { environment: Record<string, string | null> };
  const names = ['NODE_EXTRA_CA_CERTS', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_CERTIFICATE'];
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(names));
});
