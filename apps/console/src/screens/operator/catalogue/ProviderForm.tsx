import { NumberInput, PasswordInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FieldForm } from '../../../ui/index.ts';
import type { AddedProviderDto, SaveProviderRequest } from '../generated/index.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { ConflictNotice } from './ConflictNotice.tsx';
import { freeId } from './entry.ts';
import { Fold } from './Fold.tsx';
import { VENDOR_TYPES, type VendorType } from './vendors.ts';
import { words } from './words.ts';

interface ProviderFormProps {
  /** Null for a new provider. */
  readonly provider: AddedProviderDto | null;
  /** The ids of all providers. */
  readonly taken: readonly string[];
  /** The vendor of a new provider, where it is chosen already. */
  readonly type?: VendorType;
  readonly submit: string;
  readonly onSaved: (provider: AddedProviderDto) => unknown;
  /** Shows the provider as another operator has changed it. */
  readonly onLoad: () => void;
}

const text = words.provider;
/** The fields that few people need. */
const LIMITS = ['id', 'max_concurrent', 'submissions_per_minute'] as const;
const OF_VENDOR = VENDOR_TYPES.map((value) => ({ value, label: words.vendors[value].name }));

/** A vendor with its key, or a server. */
export function ProviderForm({ provider, taken, type: given, submit, onSaved, onLoad }: ProviderFormProps) {
  const { saveProvider } = useCatalogueChanges();
  const [type, setType] = useState<VendorType>(given ?? (provider?.type as VendorType | undefined) ?? 'replicate');
  const vendor = words.vendors[type];
  const initial = valuesOf(type, provider);
  const isOwnServer = type === 'comfyui';
  const idByDefault = freeId(type, taken);
  const send = (values: typeof initial) =>
    saveProvider(values.id.trim() || idByDefault, bodyOf({ ...values, type }, provider));
  const address = (field: (name: keyof typeof initial) => object) => {
    const shared = { ...field('base_url'), dir: 'ltr', spellCheck: false, placeholder: 'https://' } as const;
    const description = `${vendor.url} ${text.privateUrl}`;
    if (!isOwnServer) return <TextInput {...shared} required={false} type="url" description={description} />;
    return <Textarea {...shared} autosize minRows={1} maxRows={8} inputMode="url" description={description} />;
  };
  return (
    <FieldForm
      initial={initial}
      labels={text.fields}
      size="sm"
      submit={submit}
      send={send}
      onDone={onSaved}
      notice={(error) => <ConflictNotice error={error} onLoad={onLoad} />}
    >
      {(field) => (
        <>
          {given === undefined && (
            <Select
              {...field('type')}
              data={OF_VENDOR}
              allowDeselect={false}
              value={type}
              onChange={(next) => setType(next as VendorType)}
            />
          )}
          {isOwnServer && address(field)}
          <PasswordInput
            {...field('key')}
            required={false}
            data-autofocus
            description={vendor.key}
            placeholder={provider?.key_end ? text.keyKept(provider.key_end) : undefined}
            autoComplete="off"
            dir="ltr"
            visibilityToggleButtonProps={{ 'aria-label': text.showKey, tabIndex: 0 }}
          />
          {!isOwnServer && address(field)}
          <Limits field={field} isNew={provider === null} idByDefault={idByDefault} />
        </>
      )}
    </FieldForm>
  );
}

interface LimitsProps {
  readonly field: (name: (typeof LIMITS)[number]) => { readonly error?: ReactNode };
  readonly isNew: boolean;
  readonly idByDefault: string;
}

/** The id, and how much the provider is asked at once. */
function Limits({ field, isNew, idByDefault }: LimitsProps) {
  return (
    <Fold label={text.limits} isWrong={LIMITS.some((name) => Boolean(field(name).error))}>
      <TextInput
        {...field('id')}
        required={false}
        disabled={!isNew}
        description={text.idHint}
        placeholder={idByDefault}
        dir="ltr"
        spellCheck={false}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md">
        <NumberInput {...field('max_concurrent')} description={text.concurrentHint} allowDecimal={false} />
        <NumberInput
          {...field('submissions_per_minute')}
          required={false}
          description={text.perMinuteHint}
          allowDecimal={false}
        />
      </SimpleGrid>
    </Fold>
  );
}

function valuesOf(type: VendorType, provider: AddedProviderDto | null) {
  return {
    type,
    id: provider?.id ?? '',
    key: '',
    // On a line each.
    base_url: (provider?.base_urls ?? [provider?.base_url ?? '']).join('\n'),
    max_concurrent: String(provider?.max_concurrent ?? 4),
    submissions_per_minute: String(provider?.submissions_per_minute ?? ''),
  };
}

type Values = Readonly<Record<keyof typeof text.fields, string | number>>;

function bodyOf(values: Values, provider: AddedProviderDto | null): SaveProviderRequest {
  const [key, perMinute] = [values.key, values.submissions_per_minute].map((text) => String(text).trim());
  const urls = String(values.base_url).split(/\s+/).filter(Boolean);
  return {
    type: String(values.type),
    base_url: urls.length === 1 ? urls[0] : null,
    base_urls: urls.length > 1 ? urls : null,
    ...(key && { key }),
    max_concurrent: Number(values.max_concurrent),
    submissions_per_minute: perMinute ? Number(perMinute) : null,
    revision: provider?.revision ?? null,
  };
}
