import { describe, expect, it } from '@jest/globals';
import { chosenPassword, typedPassword, type PasswordHash, type Passwords } from '../index.ts';

/** What every adapter of `Passwords` must do. */
export function passwordsContract(name: string, make: () => Passwords): void {
  describe(`passwords: ${name}`, () => {
    const password = chosenPassword('correct horse battery staple');

    it('are recognised by their hash, and no other password is', async () => {
      const passwords = make();
      const hash = await passwords.hash(password);
      expect(await passwords.verify(password, hash)).toBe(true);
      for (const wrong of ['', 'correct horse battery stapl', 'Correct horse battery staple', hash]) {
        expect(await passwords.verify(typedPassword(wrong), hash)).toBe(false);
      }
    });

    it('are told apart over their whole length, and in every script', async () => {
      const passwords = make();
      const long = chosenPassword('пароль🔑'.repeat(18) + 'ab');
      const hash = await passwords.hash(long);
      expect(await passwords.verify(long, hash)).toBe(true);
      expect(await passwords.verify(typedPassword(long.slice(0, -1) + 'c'), hash)).toBe(false);
    });

    it('never match nobody', async () => {
      const passwords = make();
      for (const text of ['', 'null', password]) {
        expect(await passwords.verify(typedPassword(text), null)).toBe(false);
      }
    });

    it('are recognised by a hash made elsewhere', async () => {
      const hash: PasswordHash = await make().hash(password);
      expect(await make().verify(password, hash)).toBe(true);
    });
  });
}
