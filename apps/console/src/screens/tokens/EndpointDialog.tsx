import { Checkbox, Modal, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type EndpointDto, fieldProblems } from '../../api/index.ts';
import { ErrorNotice, FieldForm, FormButtons, notifyDone } from '../../ui/index.ts';
import { useEndpointSaving, useRedeliveryOfEvents, useSecretRotation } from './endpoint-queries.ts';
import { type EndpointForm, endpointForm, endpointRequest, localMinute, timeOf } from './endpoints.ts';
import { TYPE_GROUPS } from './events.ts';
import { ShownOnce } from './ShownOnce.tsx';
import classes from './Tokens.module.css';
import { words } from './words.ts';

const texts = words.endpoints;

/** A question about an endpoint; to save none is to register one. */
export type EndpointQuestion =
  | { readonly action: 'save'; readonly endpoint: EndpointDto | null }
  | { readonly action: 'rotate' | 'redeliver'; readonly endpoint: EndpointDto };

interface EndpointDialogProps {
  readonly question: EndpointQuestion | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks about an endpoint. While a secret is shown, only its button closes the dialog. */
export function EndpointDialog({ question, opened, onClose }: EndpointDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  const isShown = secret !== null;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={isShown ? texts.secretTitle : question && titleOf(question)}
      size="lg"
      withCloseButton={!isShown}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
    >
      {isShown ? (
        <ShownOnce what={texts.secretWhat} label={texts.secret} secret={secret} onDone={close} />
      ) : (
        question && <Question question={question} onSecret={setSecret} onClose={close} />
      )}
    </Modal>
  );
}

function titleOf({ action, endpoint }: EndpointQuestion): string {
  if (action === 'save') return endpoint === null ? texts.create : texts.editTitle;
  return action === 'rotate' ? texts.rotateTitle : texts.redeliverTitle;
}

interface QuestionProps {
  readonly question: EndpointQuestion;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function Question({ question: { action, endpoint }, onSecret, onClose }: QuestionProps) {
  if (action === 'save') return <Fields endpoint={endpoint} onSecret={onSecret} onClose={onClose} />;
  if (action === 'rotate') return <Rotation endpoint={endpoint} onSecret={onSecret} onClose={onClose} />;
  return <Redelivery endpoint={endpoint} onClose={onClose} />;
}

interface FieldsProps extends Omit<QuestionProps, 'question'> {
  readonly endpoint: EndpointDto | null;
}

const LABELS = { url: texts.url, description: texts.description, types: texts.eventsLabel };

function Fields({ endpoint, onSecret, onClose }: FieldsProps) {
  const saving = useEndpointSaving(endpoint?.id);
  const form = useForm<EndpointForm>({
    initialValues: endpointForm(endpoint),
    validate: {
      url: (url) => (url.trim() ? null : texts.urlMissing),
      types: (types, { events }) => (events === 'chosen' && types.length === 0 ? words.noScope : null),
    },
  });
  const save = (values: EndpointForm) =>
    saving.mutate(endpointRequest(values), {
      onSuccess: (saved) => {
        if ('secret' in saved) return onSecret(saved.secret);
        notifyDone(texts.saved);
        onClose();
      },
      onError: (error) => form.setErrors(fieldProblems(error, LABELS)),
    });
  const isGeneral = saving.error && Object.keys(fieldProblems(saving.error, LABELS)).length === 0;
  return (
    <form noValidate onSubmit={form.onSubmit(save, ({ url }) => url && form.getInputNode('url')?.focus())}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          type="url"
          label={texts.url}
          description={texts.urlHint}
          placeholder={texts.urlPlaceholder}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <TextInput
          label={texts.description}
          placeholder={texts.descriptionPlaceholder}
          maxLength={500}
          autoComplete="off"
          {...form.getInputProps('description')}
        />
        <Radio.Group label={texts.eventsLabel} {...form.getInputProps('events')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(texts.events).map(([value, { label, hint }]) => (
              <Radio key={value} value={value} label={label} description={hint} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.events === 'chosen' && <Types field={form.getInputProps('types')} />}
        {endpoint !== null && (
          <Switch
            label={texts.active}
            description={texts.activeHint}
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        )}
        {isGeneral && <ErrorNotice error={saving.error} />}
        <FormButtons
          action={endpoint === null ? texts.createAction : texts.save}
          isSending={saving.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** The types by their subjects. A test is no choice: it goes to the endpoint that is tested. */
function Types({ field }: { readonly field: object }) {
  return (
    <Checkbox.Group aria-label={texts.typesLabel} {...field}>
      <div className={classes.scopes}>
        {TYPE_GROUPS.filter(({ of }) => of !== 'webhook_endpoint').map(({ of, group, items }) => (
          <Stack key={of} gap={6} role="group" aria-label={group}>
            <Text size="xs" c="dimmed" aria-hidden>
              {group}
            </Text>
            {items.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        ))}
      </div>
    </Checkbox.Group>
  );
}

interface AboutProps extends Pick<QuestionProps, 'onClose'> {
  readonly endpoint: EndpointDto;
}

function Rotation({ endpoint, onSecret, onClose }: AboutProps & Pick<QuestionProps, 'onSecret'>) {
  const rotation = useSecretRotation();
  const rotate = () => rotation.mutate(endpoint.id, { onSuccess: ({ secret }) => onSecret(secret) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rotate();
      }}
    >
      <Stack gap="md">
        <Text component="bdi" fw={600} className={classes.name}>
          {endpoint.url}
        </Text>
        {words.rotateWhat.map((sentence) => (
          <Text key={sentence} size="sm">
            {sentence}
          </Text>
        ))}
        {rotation.error && <ErrorNotice error={rotation.error} />}
        <FormButtons action={texts.rotateAction} isSending={rotation.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

const DAY_MS = 86_400_000;

function Redelivery({ endpoint, onClose }: AboutProps) {
  const redeliver = useRedeliveryOfEvents();
  const [initial] = useState(() => ({ after: localMinute(new Date(Date.now() - DAY_MS)), before: '' }));
  return (
    <FieldForm
      size="sm"
      initial={initial}
      labels={{ after: texts.after, before: texts.before }}
      send={({ after, before }) => redeliver({ id: endpoint.id, after: timeOf(after)!, before: timeOf(before) })}
      onDone={(events) => {
        notifyDone(texts.redelivered(events));
        onClose();
      }}
      submit={texts.redeliverAction}
    >
      {(field) => (
        <>
          <Text size="sm">{texts.redeliverWhat}</Text>
          <TextInput type="datetime-local" data-autofocus {...field('after')} />
          <TextInput type="datetime-local" description={texts.beforeHint} {...field('before')} required={false} />
        </>
      )}
    </FieldForm>
  );
}
