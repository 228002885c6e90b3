/** Why it can't go on, in one line that says what to do. */
export class Refusal extends Error {}

/** Runs a script to its end; what it refuses is one line and exit code 1. */
export async function runScript(script) {
  try {
    process.exitCode = await script();
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  }
}
