import { join } from 'node:path';

/** The paths in the data folder. */
export function pathsIn(folder: string) {
  return {
    folder,
    /** The embedded PostgreSQL. */
    postgres: join(folder, 'postgres'),
    /** The disk store. */
    files: join(folder, 'files'),
    /** Mail as `*.eml`, when there is no mail server. */
    mail: join(folder, 'mail'),
    secrets: join(folder, 'secrets'),
    /** SECRET_KEY and PREVIOUS_SECRET_KEY, where the settings have no key. */
    secretKey: join(folder, 'secrets', 'secret.key'),
    previousSecretKey: join(folder, 'secrets', 'previous-secret.key'),
    /** The key of `provenance init`, and its certificates. */
    provenanceKey: join(folder, 'secrets', 'provenance.key'),
    provenanceCertificate: join(folder, 'secrets', 'provenance.pem'),
    /** URL and tokens of the demo. */
    demo: join(folder, 'demo.json'),
    /** Beside the folder, so that it can be replaced as a whole, and on the same file system. */
    backups: `${folder}-backups`,
  };
}
