import { Modal, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type EndpointDto, type NewEndpointDto, x12 } from '../../api/index.ts';
import { FieldForm, NewSecret, notifyDone } from '../../ui/index.ts';
import { useEndpointCall } from './endpoint-queries.ts';
import { type EndpointForm, endpointForm, endpointRequest } from './endpoints.ts';
import classes from './Tokens.module.css';
import { TypesField } from './TypesField.tsx';
import { words } from './words.ts';

const texts = words.endpoints;

export interface EndpointQuestion {
  readonly action: 'save' | 'rotate';
  /** Null for a new one. */
  readonly endpoint: EndpointDto | null;
}

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
  const title = question && (question.endpoint ? texts.titles[question.action] : texts.create);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={isShown ? texts.secretTitle : title}
      size="lg"
      withCloseButton={!isShown}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
    >
      {isShown && <NewSecret what={texts.secretWhat} label={texts.secret} secret={secret} onDone={close} />}
      {!isShown && question?.action === 'save' && (
        <Fields endpoint={question.endpoint} onSecret={setSecret} onClose={close} />
      )}
      {!isShown && question?.action === 'rotate' && <Rotation endpoint={question.endpoint!} onSecret={setSecret} />}
    </Modal>
  );
}

interface FieldsProps {
  readonly endpoint: EndpointDto | null;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

const LABELS = { url: texts.url, description: texts.description, types: texts.events, active: texts.active };

function Fields({ endpoint, onSecret, onClose }: FieldsProps) {
  const saving = useEndpointCall(async (form: EndpointForm): Promise<EndpointDto | NewEndpointDto> => {
    const { webhookEndpoints } = x12;
    const fields = endpointRequest(form);
    const saved = endpoint ? webhookEndpoints.update({ id: endpoint.id, ...fields }) : webhookEndpoints.create(fields);
    return (await saved).webhook_endpoint;
  });
  const onDone = (saved: EndpointDto | NewEndpointDto) => {
    if ('secret' in saved) return onSecret(saved.secret);
    notifyDone(texts.saved);
    onClose();
  };
  const optional = { required: false };
  return (
    <FieldForm
      size="sm"
      initial={endpointForm(endpoint)}
      labels={LABELS}
      send={(form) => saving.mutateAsync(form)}
      onDone={onDone}
      submit={endpoint ? texts.save : texts.add}
    >
      {(field) => (
        <>
          <TextInput
            data-autofocus
            type="url"
            description={texts.urlHint}
            placeholder={texts.urlPlaceholder}
            autoComplete="off"
            {...field('url')}
          />
          <TextInput
            placeholder={texts.descriptionPlaceholder}
            maxLength={500}
            autoComplete="off"
            {...field('description')}
            {...optional}
          />
          <TypesField all={texts.allEvents} description={texts.eventsHint} {...field('types')} {...optional} />
          {endpoint && <Switch description={texts.activeHint} {...field('active', 'checkbox')} {...optional} />}
        </>
      )}
    </FieldForm>
  );
}

function Rotation({
  endpoint: { id, url },
  onSecret,
}: { readonly endpoint: EndpointDto } & Pick<FieldsProps, 'onSecret'>) {
  const rotation = useEndpointCall(async () => x12.webhookEndpoints.secret.rotate({ id }));
  return (
    <FieldForm
      size="sm"
      initial={{}}
      labels={{}}
      send={() => rotation.mutateAsync()}
      onDone={({ webhook_endpoint: { secret } }) => onSecret(secret)}
      submit={texts.rotateAction}
    >
      {() =>
        [url, ...words.rotateWhat].map((sentence) => (
          <Text key={sentence} size="sm" className={classes.name}>
            {sentence}
          </Text>
        ))
      }
    </FieldForm>
  );
}
