import { Counter, type Registry, type RegistryContentType } from 'prom-client';
import { MARKINGS, type Marking } from '#files';

/** Counts stored outputs by how they came to their marks: `unmarked` ones do not say that an AI system made them. */
export function measureMarks(registry: Registry<RegistryContentType>): (marking: Marking) => void {
  const outputs = new Counter({
    name: 'x12_outputs_total',
    help: 'Stored outputs by their mark of provenance: marked, signed, kept with that of the vendor, or unmarked.',
    labelNames: ['marking'],
    registers: [registry],
  });
  for (const marking of MARKINGS) if (marking !== 'signature_dropped') outputs.inc({ marking }, 0);
  return (marking) => outputs.inc({ marking });
}
