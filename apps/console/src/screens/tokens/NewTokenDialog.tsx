import { Checkbox, type CheckboxGroupProps, Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldProblems } from '../../api/index.ts';
import { ErrorNotice, FormButtons, NewToken, uiWords } from '../../ui/index.ts';
import { useTokenCreation } from './token-queries.ts';
import classes from './Tokens.module.css';
import { exampleFor, type Grant, SCOPES, type TokenForm, tokenRequest } from './tokens.ts';
import { words } from './words.ts';

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const LONGEST_NAME = 100;
const LONGEST_CUSTOMER = 255;
const LIFETIMES = Object.entries(words.lifetimes).map(([value, label]) => ({ value, label }));

/** Creates a token and shows it once. While it is shown, only the button closes the dialog. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const creation = useTokenCreation();
  const created = creation.data;
  const close = () => {
    creation.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? uiWords.newToken.title : words.newTitle}
      size="lg"
      withCloseButton={!created}
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <NewToken token={created.token} call={exampleFor(created.scopes)} onDone={close} />
      ) : (
        <Request creation={creation} onCancel={close} />
      )}
    </Modal>
  );
}

interface RequestProps {
  readonly creation: ReturnType<typeof useTokenCreation>;
  readonly onCancel: () => void;
}

const LABELS = {
  name: words.name,
  expires_in_days: words.lifetime,
  scopes: words.scopesLabel,
  monthly_credits: words.budget,
  customer: words.customer,
};

function Request({ creation, onCancel }: RequestProps) {
  const { form, create } = useTokenForm(creation);
  const isGeneral = creation.error && Object.keys(fieldProblems(creation.error, LABELS)).length === 0;
  const { lifetime, grant } = form.values;
  return (
    <form noValidate onSubmit={form.onSubmit(create, ({ name }) => name && form.getInputNode('name')?.focus())}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={words.name}
          description={words.nameHint}
          placeholder={words.namePlaceholder}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <GrantFields
          grant={grant}
          onGrant={(next) => form.setFieldValue('grant', next)}
          scopes={form.getInputProps('scopes')}
        />
        <TextInput
          label={words.customer}
          description={words.customerHint}
          maxLength={LONGEST_CUSTOMER}
          autoComplete="off"
          {...form.getInputProps('customer')}
        />
        <NumberInput
          label={words.budget}
          description={words.budgetHint}
          placeholder={words.noBudget}
          suffix={words.budgetUnit}
          min={0}
          allowNegative={false}
          allowDecimal={false}
          thousandSeparator=","
          hideControls
          {...form.getInputProps('monthly_credits')}
        />
        <Select
          label={words.lifetime}
          description={lifetime === 'never' ? words.neverHint : undefined}
          data={LIFETIMES}
          allowDeselect={false}
          {...form.getInputProps('lifetime')}
        />
        {isGeneral && <ErrorNotice error={creation.error} />}
        <FormButtons action={words.createAction} isSending={creation.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function useTokenForm(creation: RequestProps['creation']) {
  const form = useForm<TokenForm>({
    initialValues: { name: '', lifetime: '90', grant: 'everything', scopes: [], monthly_credits: '', customer: '' },
    validate: {
      name: (name) => (name.trim() ? null : words.nameMissing),
      scopes: (scopes, { grant }) => (grant === 'chosen' && scopes.length === 0 ? words.noScope : null),
    },
  });
  const create = (values: TokenForm) =>
    creation.mutate(tokenRequest(values), {
      onError: (error) => {
        const { expires_in_days: lifetime, ...problems } = fieldProblems(error, LABELS);
        form.setErrors({ lifetime, ...problems });
      },
    });
  return { form, create };
}

interface GrantFieldsProps {
  readonly grant: Grant;
  readonly onGrant: (grant: Grant) => void;
  /** The field of the scopes that are ticked one by one. */
  readonly scopes: Omit<CheckboxGroupProps, 'children'>;
}

const { grants, scopes: explained } = words;
const GRANTS = Object.keys(grants) as Grant[];

/** Rights of a token: a preset, or scopes one by one. */
function GrantFields({ grant, onGrant, scopes }: GrantFieldsProps) {
  return (
    <>
      <Radio.Group<Grant> label={words.grant} value={grant} onChange={onGrant}>
        <Stack gap="xs" mt={6}>
          {GRANTS.map((each) => (
            <Radio key={each} value={each} label={grants[each].label} description={grants[each].hint} />
          ))}
        </Stack>
      </Radio.Group>
      {grant === 'chosen' && (
        <Checkbox.Group aria-label={words.scopesLabel} {...scopes}>
          <div className={classes.scopes}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={explained[scope].label} description={explained[scope].hint} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
