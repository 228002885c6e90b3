/** An error that ends a script. Its message is one line that says what to do. */
export class Refusal extends Error {}

/** Runs a script. A Refusal prints its message and sets exit code 1. */
export async function runScript(script) {
  try {
    process.exitCode = await script();
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  }
}
