import { parseArgs } from 'node:util';
import type { VendorBehaviour } from './fake-vendor.ts';
import { startAllVendors, VENDOR_NAMES, type VendorName } from './all-vendors.ts';

// `npm run fake-vendors`: starts the fakes of all vendors, and prints the settings by which `npm start` uses them.
const { values } = parseArgs({
  options: {
    /** The first of four ports in a row. */
    port: { type: 'string', default: '4100' },
    /** For the catalogue. */
    folder: { type: 'string', default: '.data/fake-vendors' },
    /** How long a submission takes. */
    'work-ms': { type: 'string', default: '3000' },
    /** Behaviour for every submission, as `fal=down`. Behaviours: fake-vendor.ts. */
    behaviour: { type: 'string', multiple: true, default: [] },
  },
});

const { fakes, env } = await startAllVendors(values.folder, {
  firstPort: Number(values.port),
  workMs: Number(values['work-ms']),
});
for (const choice of values.behaviour) {
  const [vendor, behaviour] = choice.split('=') as [VendorName, VendorBehaviour];
  if (!VENDOR_NAMES.includes(vendor)) throw new Error(`there is no fake of ${vendor}`);
  fakes[vendor].plan([], behaviour);
}
const lines = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
process.stdout.write(`${lines.join('\n')}\n`);
