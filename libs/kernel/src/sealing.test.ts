import { beforeEach, describe, expect, it } from '@jest/globals';
import { AesSealer } from '#adapters/secrets';
import { Vault, type Sealed, type SealedSecret, type SealedSecrets } from './index.ts';

const [old, current, foreign] = ['o', 'n', 'f'].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const sealerOf = (key: string, previous: string | null = null) => new AesSealer(() => ({ current: key, previous }));
const context = (id: number) => `of user ${id}`;

/** Secrets in memory, in pages as a table has them. */
class Kept implements SealedSecrets {
  readonly rows = new Map<number, Sealed>();
  /** Replacements until the process is killed. */
  left = Infinity;

  fill(from: number, to: number, key: string): void {
    for (let id = from; id <= to; id++) this.rows.set(id, sealerOf(key).seal(Buffer.from(`secret ${id}`), context(id)));
  }

  async list(after: number, limit: number): Promise<readonly SealedSecret[]> {
    const ids = [...this.rows.keys()].filter((id) => id > after).sort((one, other) => one - other);
    return ids.slice(0, limit).map((id) => ({ id, sealed: this.rows.get(id)!, context: context(id) }));
  }

  async replace({ id, sealed }: SealedSecret, by: Sealed): Promise<boolean> {
    if (this.left-- === 0) throw new Error('killed');
    if (this.rows.get(id) !== sealed) return false;
    this.rows.set(id, by);
    return true;
  }
}

describe('the vault', () => {
  let kept: Kept;
  let vault: Vault;
  beforeEach(() => {
    kept = new Kept();
    vault = new Vault(sealerOf(current!, old), [kept]);
  });

  it('counts the secrets under the current key, the previous key and unknown keys', async () => {
    kept.fill(1, 700, current!);
    kept.fill(701, 1200, old!);
    kept.fill(1201, 1203, foreign!);
    const another = expect.stringContaining('SECRET_KEY is another one');
    const state = await vault.examine();
    expect({ ...state, unreadable: Object.entries(state.unreadable) }).toEqual({
      kept: 1203,
      previous: 500,
      unreadable: [[another, 3]],
    });
  });

  it('reseals secrets under the previous key only, and continues after a crash', async () => {
    kept.fill(1, 3, current!);
    kept.fill(4, 1200, old!);
    kept.fill(1201, 1201, foreign!);
    const before = new Map(kept.rows);
    kept.left = 600;
    await expect(vault.reseal()).rejects.toThrow('killed');
    kept.left = Infinity;
    expect(await vault.reseal()).toMatchObject({ kept: 1201, resealed: 597, previous: 0 });
    for (const id of [1, 2, 3, 1201]) expect(kept.rows.get(id)).toBe(before.get(id));
    const onlyNew = sealerOf(current!);
    for (let id = 4; id <= 1200; id++) {
      expect(Buffer.from(onlyNew.open(kept.rows.get(id)!, context(id))).toString()).toBe(`secret ${id}`);
    }
    expect(await vault.reseal()).toMatchObject({ resealed: 0 });
  });

  it('reseals secrets that were sealed under the previous key meanwhile', async () => {
    kept.fill(10, 12, old!);
    const replace = kept.replace.bind(kept);
    let passed = false;
    kept.replace = async (secret, by) => {
      // Another program, which still has the previous key.
      if (!passed) kept.fill(5, 10, old!);
      passed = true;
      return replace(secret, by);
    };
    expect(await vault.reseal()).toMatchObject({ kept: 8, previous: 0 });
    expect(await vault.examine()).toEqual({ kept: 8, previous: 0, unreadable: {} });
  });
});
