import { type Call, COMMON, type Command } from './command.ts';
import type { Session } from './session.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** The words that may follow after other words of a command line. */
interface Choice {
  /** The words before; `isWhole` if there must be no others. */
  readonly after: string;
  readonly isWhole: boolean;
  readonly words: readonly (readonly [word: string, help: string])[];
}

/** The command that prints the script of a shell. */
export const completion =
  (commands: readonly Command[]) =>
  async (_session: Session, { args: [shell] }: Call): Promise<void> =>
    void process.stdout.write(completionScript(shell as Shell, commands));

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const choices = choicesOf(commands);
  return shell === 'fish' ? fishScript(choices) : shell === 'zsh' ? zshScript(choices) : bashScript(choices);
}

function choicesOf(commands: readonly Command[]): Choice[] {
  const first = new Map(commands.map(({ name, help }) => [name.split(' ')[0]!, help]));
  const groups = new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]!));
  const nested = [...groups].map((after): Choice => {
    const members = commands.filter(({ name }) => name.startsWith(`${after} `));
    return { after, isWhole: true, words: members.map(({ name, help }) => [name.slice(after.length + 1), help]) };
  });
  const options = commands.map(({ name, args, options: own }): Choice => {
    const values = /^[a-z|]+$/.test(args) ? args.split('|').map((word) => [word, ''] as const) : [];
    const words = Object.entries({ ...own, ...COMMON }).map(([option, { help }]) => [`--${option}`, help] as const);
    return { after: name, isWhole: false, words: [...values, ...words] };
  });
  return [{ after: '', isWhole: true, words: [...first] }, ...nested, ...options];
}

/** The branches of a `case` of bash and zsh over the words before the cursor. */
function branches(choices: readonly Choice[]): string {
  const lines = choices.map(({ after, isWhole, words }) => {
    const pattern = isWhole ? `'${after}'` : `'${after}'|'${after} '*`;
    return `    ${pattern}) choices=(${words.map(([word]) => word).join(' ')}) ;;`;
  });
  return lines.join('\n');
}

const bashScript = (choices: readonly Choice[]): string => `_x12() {
  local choices=()
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${branches(choices)}
  esac
  COMPREPLY=($(compgen -W "\${choices[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _x12 x12
`;

const zshScript = (choices: readonly Choice[]): string => `#compdef x12
_x12() {
  local -a choices
  case "\${words[2,CURRENT-1]}" in
${branches(choices)}
  esac
  compadd -a choices || _files
}
compdef _x12 x12
`;

function fishScript(choices: readonly Choice[]): string {
  const lines = choices.flatMap(({ after, isWhole, words }) =>
    words.map(([word, help]) => {
      const condition = `-n '__x12_after "^${after}${isWhole ? '' : '( |$)'}${isWhole ? '$' : ''}"'`;
      return `complete -c x12 ${condition} -a '${word}' -d '${help.replaceAll("'", "\\'")}'`;
    }),
  );
  return `function __x12_after
  string match -rq -- $argv[1] (string join ' ' (commandline -opc)[2..-1])
end
${lines.join('\n')}
`;
}
