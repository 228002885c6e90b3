import { Command } from 'commander';
import { replaceSecretKey, secretKeys } from '#config';
import { Vault } from '#kernel';
import { StartError } from '#process';
import type { Service, Session } from '../session.ts';

export function secretKeyCommand(session: Session): Command {
  const secretKey = new Command('secret-key').description(
    'Replaces the key that encrypts the secrets in the database.',
  );

  secretKey
    .command('rotate')
    .description('encrypts all secrets anew: with the new SECRET_KEY, or with a new key in DATA_DIR')
    .action(session.run(rotate, ({ unreadable }) => unreadable > 0));

  return secretKey;
}

async function rotate(service: Service) {
  const { settings } = service;
  const vault = service.get(Vault);
  const keys = secretKeys(settings);
  if (keys.current === null) throw new StartError('there is no SECRET_KEY yet: set one (openssl rand -base64 32)');
  if (settings.secrets.key === null) {
    // A rotation that was interrupted goes on with the key that it has made.
    const { previous } = await vault.examine();
    if (previous === 0) replaceSecretKey(settings.data);
  } else if (keys.previous === null) {
    throw new StartError(
      'set PREVIOUS_SECRET_KEY to the present key, and SECRET_KEY to a new one (openssl rand -base64 32), for all ' +
        'programs of the service; then run this again',
    );
  }
  const { kept, resealed, unreadable } = await vault.reseal();
  return { kept, resealed, unreadable: Object.values(unreadable).reduce((sum, secrets) => sum + secrets, 0) };
}
