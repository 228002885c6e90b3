import { Button, Group, Input, PasswordInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { fieldProblem, fieldProblems, type ShareDto } from '../api/index.ts';
import { ErrorNotice, FormButtons } from '../ui/index.ts';
import { type Expiry, missingIn, newPassword, RIGHTS, type ShareForm } from './share-form.ts';
import { words } from './words.ts';

const LABELS = {
  name: words.name,
  allow: words.rights,
  expires_at: words.expiry,
  password: words.password,
  watermark: words.watermarkText,
  label: words.labelText,
};
const DAY_MS = 86_400_000;

interface ShareFieldsProps {
  readonly initial: ShareForm;
  /** The link that is changed; absent for a new one. */
  readonly before?: ShareDto;
  readonly action: string;
  readonly sending: { readonly isPending: boolean; readonly error: unknown };
  readonly onSend: (form: ShareForm) => void;
  readonly onCancel?: () => void;
}

/** The terms of a link. The service's refusals stand at their fields, and the fields keep their values. */
export function ShareFields({ initial, before, action, sending, onSend, onCancel }: ShareFieldsProps) {
  const [form, setForm] = useState(initial);
  const [wasSent, setWasSent] = useState(false);
  const missing = missingIn(form, before?.has_password ?? false);
  const isGeneral = sending.error !== null && Object.keys(fieldProblems(sending.error, LABELS)).length === 0;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setWasSent(true);
    if (missing.length === 0) onSend(form);
  };
  const fields: FieldsProps = {
    form,
    before,
    change: (part) => setForm({ ...form, ...part }),
    problem: (field) => fieldProblem(sending.error, field, LABELS[field]),
    lacks: (field, text) => (wasSent && missing.includes(field) ? text : undefined),
  };
  const { change, problem } = fields;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          autoFocus
          data-autofocus
          label={words.name}
          description={words.nameHint}
          maxLength={255}
          dir="auto"
          value={form.name}
          error={problem('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Rights {...fields} />
        <ExpiryFields {...fields} />
        <PasswordFields {...fields} />
        <WatermarkFields {...fields} />
        <LabelFields {...fields} />
        {isGeneral && <ErrorNotice error={sending.error} />}
        <FormButtons action={action} isSending={sending.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: ShareForm;
  readonly before: ShareDto | undefined;
  readonly change: (part: Partial<ShareForm>) => void;
  readonly problem: (field: keyof typeof LABELS) => string | undefined;
  /** @returns the text if the field was sent without a value */
  readonly lacks: (field: ReturnType<typeof missingIn>[number], text: string) => string | undefined;
}

function Rights({ form, change, problem }: FieldsProps) {
  return (
    <Input.Wrapper label={words.rights} labelElement="div" error={problem('allow')}>
      <Stack gap="xs" mt={6} role="group" aria-label={words.rights}>
        {RIGHTS.map((right) => (
          <Switch
            key={right}
            label={words.allow[right].label}
            description={words.allow[right].hint}
            checked={form.allow.includes(right)}
            onChange={({ target: { checked } }) =>
              change({ allow: RIGHTS.filter((each) => (each === right ? checked : form.allow.includes(each))) })
            }
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

function ExpiryFields({ form, before, change, problem, lacks }: FieldsProps) {
  return (
    <Group grow align="start">
      <Select
        label={words.expiry}
        data={expiriesFor(before)}
        allowDeselect={false}
        value={form.expiry}
        error={form.expiry === 'day' ? undefined : problem('expires_at')}
        onChange={(expiry) => change({ expiry: expiry as Expiry })}
      />
      {form.expiry === 'day' && (
        <TextInput
          type="date"
          label={words.day}
          min={dayAfter(0)}
          max={dayAfter(365)}
          value={form.day}
          error={lacks('day', words.dayMissing) ?? problem('expires_at')}
          onChange={(event) => change({ day: event.target.value })}
        />
      )}
    </Group>
  );
}

function PasswordFields({ form, before, change, problem, lacks }: FieldsProps) {
  return (
    <>
      <Switch
        label={words.withPassword}
        checked={form.hasPassword}
        onChange={(event) => change({ hasPassword: event.target.checked })}
      />
      {form.hasPassword && (
        <Group align="start" gap="xs" wrap="nowrap">
          <PasswordInput
            style={{ flex: 1 }}
            label={words.password}
            description={before?.has_password ? words.passwordKept : words.passwordHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            maxLength={200}
            defaultVisible
            value={form.password}
            error={lacks('password', words.passwordMissing) ?? problem('password')}
            onChange={(event) => change({ password: event.target.value })}
          />
          <Button
            // As low as the field, which has a label above.
            mt={26}
            variant="default"
            leftSection={<KeyRound size={16} aria-hidden />}
            onClick={() => change({ password: newPassword() })}
          >
            {words.generate}
          </Button>
        </Group>
      )}
    </>
  );
}

function WatermarkFields({ form, change, problem, lacks }: FieldsProps) {
  return (
    <>
      <Switch
        label={words.withWatermark}
        description={words.watermarkHint}
        checked={form.hasWatermark}
        onChange={(event) => change({ hasWatermark: event.target.checked })}
      />
      {form.hasWatermark && (
        <TextInput
          label={words.watermarkText}
          maxLength={80}
          dir="auto"
          value={form.watermark}
          error={lacks('watermark', words.watermarkMissing) ?? problem('watermark')}
          onChange={(event) => change({ watermark: event.target.value })}
        />
      )}
    </>
  );
}

function LabelFields({ form, change, problem }: FieldsProps) {
  return (
    <>
      <Switch
        label={words.withLabel}
        description={words.labelHint}
        checked={form.hasLabel}
        onChange={(event) => change({ hasLabel: event.target.checked })}
      />
      {form.hasLabel && (
        <TextInput
          label={words.labelText}
          placeholder={words.labelDefault}
          maxLength={60}
          dir="auto"
          value={form.label}
          error={problem('label')}
          onChange={(event) => change({ label: event.target.value })}
        />
      )}
    </>
  );
}

function expiriesFor(before: ShareDto | undefined) {
  const choices: Expiry[] = ['week', 'month', 'year', 'day', 'never'];
  return (before ? (['same', ...choices] as Expiry[]) : choices).map((value) => ({
    value,
    label: words.expiries[value],
  }));
}

/** A day in the reader's zone, as fields of dates have it. */
function dayAfter(days: number): string {
  const at = new Date(Date.now() + days * DAY_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
