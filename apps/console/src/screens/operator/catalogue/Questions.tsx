import { Checkbox, Group, Input, Select, Stack } from '@mantine/core';
import { modelFormWords, parameterFields, ParameterForm } from '../../../model-form/index.ts';
import { uiWords } from '../../../ui/index.ts';
import { CostField } from './CostField.tsx';
import { type Entry, type Kind, type Task, TASKS } from './entry.ts';
import { type Answers, keyOf, type Question } from './proposal.ts';
import { words } from './words.ts';

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly entry: Entry;
  readonly problemOf: (field: string) => string | undefined;
  readonly onAnswer: (answers: Answers) => void;
  readonly onChange: (change: Partial<Entry>) => void;
}

const text = words.model;

/** Questions that the vendor's description of a model does not decide. */
export function Questions({ questions, ...props }: QuestionsProps) {
  return (
    <Stack gap="lg">
      {questions.map((question) => (
        <QuestionField key={keyOf(question)} question={question} {...props} />
      ))}
    </Stack>
  );
}

interface FieldProps extends Omit<QuestionsProps, 'questions'> {
  readonly question: Question;
}

function QuestionField({ question, answers, entry, problemOf, onAnswer, onChange }: FieldProps) {
  switch (question.about) {
    case 'cost':
      return (
        <CostField
          entry={entry}
          price={question.price}
          problem={problemOf('cost')}
          onChange={(cost) => onChange({ cost })}
        />
      );
    case 'kind':
      return (
        <Choice
          label={text.whatKind}
          choices={question.choices}
          names={uiWords.generation.kinds}
          value={answers.kind}
          onChange={(kind) => onAnswer({ ...answers, kind: kind as Kind })}
        />
      );
    case 'tasks':
      return <TasksField value={entry.tasks ?? []} onChange={(tasks) => onChange({ tasks })} label={text.whatTasks} />;
    case 'prompt':
      return (
        <Choice
          label={text.whichPrompt}
          choices={question.choices}
          value={answers.prompt}
          onChange={(prompt) => onAnswer({ ...answers, prompt })}
        />
      );
    case 'picture':
      return (
        <Choice
          label={text.whichPicture(question.field)}
          description={question.description}
          choices={question.choices}
          names={{ ...modelFormWords.input.names, none: text.leaveOut }}
          value={answers.pictures?.[question.field]}
          onChange={(role) => onAnswer({ ...answers, pictures: { ...answers.pictures, [question.field]: role } })}
        />
      );
    case 'default':
      return <DefaultField question={question} answers={answers} onAnswer={onAnswer} />;
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly description?: string | null;
  readonly choices: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly value: string | undefined;
  readonly onChange: (choice: string) => void;
}

function Choice({ label, description, choices, names = {}, value, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      description={description}
      allowDeselect={false}
      data={choices.map((choice) => ({ value: choice, label: names[choice] ?? choice }))}
      value={value ?? null}
      onChange={(choice) => choice !== null && onChange(choice)}
    />
  );
}

interface TasksFieldProps {
  readonly label: string;
  readonly value: readonly Task[];
  readonly problem?: string;
  readonly onChange: (tasks: readonly Task[]) => void;
}

/** Tasks that one-click actions offer the model for. */
export function TasksField({ label, value, problem, onChange }: TasksFieldProps) {
  return (
    <Checkbox.Group
      label={label}
      description={text.tasksHint}
      error={problem}
      value={[...value]}
      onChange={(tasks) => onChange(TASKS.filter((task) => tasks.includes(task)))}
    >
      <Group gap="xs" mt="xs">
        {TASKS.map((task) => (
          <Checkbox key={task} value={task} label={words.tasks[task]} mr="sm" />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

type DefaultProps = Pick<FieldProps, 'answers' | 'onAnswer'> & {
  readonly question: Extract<Question, { readonly about: 'default' }>;
};

/** The value that is sent for callers who send none, in the field that callers will see. */
function DefaultField({ question: { parameter, declaration }, answers, onAnswer }: DefaultProps) {
  const fields = parameterFields({ properties: { [parameter]: declaration } });
  const change = (name: string, value: unknown) => {
    const { [name]: _, ...others } = answers.defaults ?? {};
    onAnswer({ ...answers, defaults: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <Input.Wrapper label={text.whatDefault} labelElement="div">
      <ParameterForm fields={fields} values={answers.defaults ?? {}} problems={{}} onChange={change} />
    </Input.Wrapper>
  );
}
