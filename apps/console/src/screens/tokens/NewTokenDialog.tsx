import { Checkbox, Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import type { FormRulesRecord } from '@mantine/form';
import { FieldForm, NewToken, uiWords } from '../../ui/index.ts';
import { useTokenCreation } from './token-queries.ts';
import classes from './Tokens.module.css';
import { exampleFor, type Grant, SCOPES, type TokenForm, tokenRequest } from './tokens.ts';
import { words } from './words.ts';

const LONGEST_NAME = 100;
const LONGEST_CUSTOMER = 255;
const LIFETIMES = Object.entries(words.lifetimes).map(([value, label]) => ({ value, label }));

/** Creates a token and shows it once. While it is shown, only the button closes the dialog. */
export function NewTokenDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
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
        <FieldForm
          size="sm"
          initial={EMPTY}
          labels={LABELS}
          validate={RULES}
          send={(form: TokenForm) => creation.mutateAsync(tokenRequest(form))}
          submit={words.createAction}
          onCancel={close}
        >
          {(field, values) => <Fields field={field} values={values} />}
        </FieldForm>
      )}
    </Modal>
  );
}

const EMPTY: TokenForm = {
  ...{ name: '', expires_in_days: '90', customer: '', monthly_credits: '' },
  ...{ grant: 'everything', scopes: [] },
};
const LABELS = {
  name: words.name,
  expires_in_days: words.lifetime,
  grant: words.grant,
  scopes: words.scopesLabel,
  monthly_credits: words.budget,
  customer: words.customer,
};
const RULES: FormRulesRecord<TokenForm> = {
  name: (name) => (name.trim() ? null : words.nameMissing),
  scopes: (scopes, { grant }) => (grant === 'chosen' && scopes.length === 0 ? words.noScope : null),
};

interface FieldsProps {
  readonly field: (name: keyof typeof LABELS) => object;
  readonly values: TokenForm;
}

function Fields({ field, values: { grant, expires_in_days: lifetime } }: FieldsProps) {
  const optional = { required: false, autoComplete: 'off' };
  return (
    <>
      <TextInput
        data-autofocus
        description={words.nameHint}
        placeholder={words.namePlaceholder}
        maxLength={LONGEST_NAME}
        {...field('name')}
        {...optional}
      />
      <GrantFields grant={grant} field={field} />
      <TextInput description={words.customerHint} maxLength={LONGEST_CUSTOMER} {...field('customer')} {...optional} />
      <NumberInput
        description={words.budgetHint}
        placeholder={words.noBudget}
        suffix={words.budgetUnit}
        min={0}
        allowNegative={false}
        allowDecimal={false}
        thousandSeparator=","
        hideControls
        {...field('monthly_credits')}
        {...optional}
      />
      <Select
        description={lifetime === 'never' ? words.neverHint : undefined}
        data={LIFETIMES}
        allowDeselect={false}
        {...field('expires_in_days')}
      />
    </>
  );
}

const { grants, scopes: explained } = words;
const GRANTS = Object.keys(grants) as Grant[];

/** Rights of a token: a preset, or scopes one by one. */
function GrantFields({ grant, field }: Pick<FieldsProps, 'field'> & { readonly grant: Grant }) {
  return (
    <>
      <Radio.Group {...field('grant')}>
        <Stack gap="xs" mt={6}>
          {GRANTS.map((each) => (
            <Radio key={each} value={each} label={grants[each].label} description={grants[each].hint} />
          ))}
        </Stack>
      </Radio.Group>
      {grant === 'chosen' && (
        <Checkbox.Group aria-label={words.scopesLabel} {...field('scopes')} label={undefined}>
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
