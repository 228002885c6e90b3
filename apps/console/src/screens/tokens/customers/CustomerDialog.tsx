import { Modal, NumberInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type CustomerDto, refresh, x12 } from '../../../api/index.ts';
import { FieldForm, notifyDone } from '../../../ui/index.ts';
import { words } from './words.ts';

interface CustomerDialogProps {
  /** Null for a new customer. */
  readonly customer: CustomerDto | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const LONGEST_NAME = 255;
const LABELS = { customer: words.label, name: words.name, monthly_credits: words.monthly, total_credits: words.total };

/** Names a customer and sets their budgets. The label of one that exists cannot be changed. */
export function CustomerDialog({ customer, opened, onClose }: CustomerDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={customer ? words.editTitle : words.newTitle}>
      <CustomerForm
        customer={customer}
        onDone={() => {
          notifyDone(words.saved);
          onClose();
        }}
      />
    </Modal>
  );
}

interface CustomerFormProps extends Pick<CustomerDialogProps, 'customer'> {
  readonly onDone: () => void;
}

function CustomerForm({ customer, onDone }: CustomerFormProps) {
  const queries = useQueryClient();
  const initial = {
    customer: customer?.customer ?? '',
    name: customer?.name ?? '',
    monthly_credits: textOf(customer?.monthly_credits),
    total_credits: textOf(customer?.total_credits),
  };
  const send = async (values: typeof initial) => {
    // The label of a new customer may be one that exists: empty fields take nothing away from it.
    const none = customer ? null : undefined;
    const amountOf = (text: string) => (text === '' ? none : Number(text));
    await x12.customers.update({
      customer: values.customer,
      name: values.name || none,
      monthly_credits: amountOf(values.monthly_credits),
      total_credits: amountOf(values.total_credits),
    });
    await refresh(queries, 'customers');
  };
  const amount = { required: false, placeholder: words.noLimit, min: 0, thousandSeparator: ',', hideControls: true };
  const whole = { ...amount, allowNegative: false, allowDecimal: false };
  return (
    <FieldForm initial={initial} labels={LABELS} send={send} onDone={onDone} submit={words.save}>
      {(field) => (
        <>
          {customer ? (
            <Text component="bdi" fw={600} lineClamp={3} title={customer.customer} style={{ overflowWrap: 'anywhere' }}>
              {customer.customer}
            </Text>
          ) : (
            <TextInput data-autofocus dir="auto" description={words.labelHint} {...field('customer')} />
          )}
          <TextInput
            dir="auto"
            description={words.nameHint}
            maxLength={LONGEST_NAME}
            {...field('name')}
            required={false}
          />
          <NumberInput description={words.monthlyHint} {...field('monthly_credits')} {...whole} />
          <NumberInput description={words.totalHint} {...field('total_credits')} {...whole} />
        </>
      )}
    </FieldForm>
  );
}

function textOf(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? '' : String(amount);
}
