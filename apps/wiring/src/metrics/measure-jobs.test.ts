import { describe, expect, it } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import { measureJobs } from './measure-jobs.ts';

describe('metrics of jobs', () => {
  it('are left out without the database, and do not affect others', async () => {
    const registry = new Registry();
    const run = () => Promise.reject(new Error('away'));
    measureJobs({ run }, registry);
    new Gauge({ name: 'other', help: 'Another.', registers: [registry] }).set(7);
    const text = await registry.metrics();
    expect(text).toContain('other 7');
    expect(text).not.toMatch(/^x12_jobs\{/m);
  });

  it('are read once for concurrent scrapes', async () => {
    const registry = new Registry();
    let asked = 0;
    const run = async <Row>(): Promise<Row[]> => {
      asked++;
      return [{ name: 'deletion.carry_out', waiting: 2, active: 1, delayed: 0, undone: 5, unrelayed: null }] as Row[];
    };
    measureJobs({ run }, registry);
    const [text] = await Promise.all([registry.metrics(), registry.metrics()]);
    expect(asked).toBe(1);
    expect(text).toContain('x12_jobs{queue="housekeeping",state="waiting"} 2');
    expect(text).toContain('x12_jobs{queue="generations",state="waiting"} 0');
    expect(text).toContain('x12_outbox_oldest_job_age_seconds{until="done"} 5');
    expect(text).toContain('x12_outbox_oldest_job_age_seconds{until="relayed"} 0');
  });
});
