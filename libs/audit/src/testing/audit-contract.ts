import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Audit } from '../index.ts';

/** A service of its own in which all is well until something wrong is done to it. */
export interface AuditedService<Wrong> {
  readonly audit: Audit;
  do(wrong: Wrong): Promise<void>;
  close(): Promise<void>;
}

export interface AuditContractOptions<Wrong> {
  make(): Promise<AuditedService<Wrong>>;
  /** What can go wrong, and the rule that it breaks: each rule at least once. */
  readonly wrongs: readonly (readonly [rule: string, wrong: Wrong])[];
  /** Breaks one rule or several, each eight times. */
  readonly eightfold: Wrong;
}

/** What every adapter of `Audit` must do. */
export function auditContract<Wrong>(name: string, options: AuditContractOptions<Wrong>): void {
  describe(`the audit: ${name}`, () => {
    let service: AuditedService<Wrong>;
    beforeEach(async () => {
      service = await options.make();
    });
    afterEach(() => service.close());

    it('finds nothing in what is well', async () => {
      expect(await service.audit.findings()).toEqual([]);
    });

    it.each(options.wrongs)('finds where it is not so that %s: %s', async (rule, wrong) => {
      await service.do(wrong);
      const findings = await service.audit.findings();
      const finding = findings.find((each) => each.rule === rule);
      expect(finding?.found).toBeGreaterThan(0);
      expect(finding?.examples.length).toBeGreaterThan(0);
      // Looking has mended nothing.
      expect(await service.audit.findings()).toEqual(findings);
    });

    it('counts all exceptions, and shows only some', async () => {
      await service.do(options.eightfold);
      const findings = await service.audit.findings(3);
      expect(findings.length).toBeGreaterThan(0);
      for (const { found, examples } of findings) expect([found, examples.length]).toEqual([8, 3]);
    });
  });
}
