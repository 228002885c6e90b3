import { Argon2Passwords } from '#adapters/secrets';
import { typedPassword } from '#identity';
import { median, timed } from './measure.ts';

const CALLS = 50;
const MOST_DIFFERENCE = 0.3;

/** Whether a log-in takes the same time for an unknown account as for a wrong password. */
const passwords = new Argon2Passwords();
const wrong = typedPassword('wrong');
const hash = await passwords.hash(typedPassword('correct horse battery staple'));
const times = { unknown: [] as number[], known: [] as number[] };
for (let call = 0; call < CALLS; call++) {
  times.unknown.push(await timed(() => passwords.verify(wrong, null)));
  times.known.push(await timed(() => passwords.verify(wrong, hash)));
}
const [unknown, known] = [median(times.unknown), median(times.known)];
console.log(`median of a refusal: ${unknown.toFixed(1)} ms without an account, ${known.toFixed(1)} ms with one`);
if (Math.abs(unknown / known - 1) > MOST_DIFFERENCE) process.exitCode = 1;
