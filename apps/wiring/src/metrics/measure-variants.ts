import { Counter, type Registry, type RegistryContentType } from 'prom-client';
import { VARIANT_OUTCOMES, type VariantOutcome } from '#transformation';

/** Counts the requests for variants that were not made before, by outcome. */
export function measureVariants(registry: Registry<RegistryContentType>): (outcome: VariantOutcome) => void {
  const counter = new Counter({
    name: 'x12_variants_total',
    help: 'Requests for transformed pictures that were not made before, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of VARIANT_OUTCOMES) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}
