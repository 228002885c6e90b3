import { Alert, Box, Radio, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { capitalized } from '../../../text.ts';
import type { AddedProviderDto, HealthDto } from '../generated/index.ts';
import { Note } from '../../../ui/index.ts';
import classes from './Catalogue.module.css';
import { useCatalogueChanges } from './catalogue-queries.ts';
import type { KnownProvider } from './known-providers.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { isVendorType, VENDOR_TYPES, type VendorType } from './vendors.ts';
import { words } from './words.ts';

interface ProviderStepProps {
  readonly providers: readonly KnownProvider[];
  /** Null before one is chosen. */
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
}

const text = words.model;
/** Precedes the type of a new provider; no id begins with it. */
const NEW = '+';

/** Chooses where a model runs: a known provider, or a new one with its key. */
export function ProviderStep({ providers, chosen, onChoose }: ProviderStepProps) {
  const { checkProvider, deleteProvider } = useCatalogueChanges();
  const [connecting, setConnecting] = useState<VendorType | null>(null);
  const [ill, setIll] = useState<HealthDto | null>(null);
  const choose = (value: string) => {
    const isNew = value.startsWith(NEW);
    setIll(null);
    setConnecting(isNew ? (value.slice(NEW.length) as VendorType) : null);
    onChoose(isNew ? null : value);
  };
  const saved = async (provider: AddedProviderDto) => {
    setIll(null);
    const health = await checkProvider(provider.id);
    if (health.state === 'ill') {
      // The form keeps what was typed; a provider that refuses is not kept.
      await deleteProvider(provider);
      return setIll(health);
    }
    setConnecting(null);
    onChoose(provider.id);
  };
  return (
    <>
      <Radio.Group
        aria-label={text.chooseProvider}
        value={connecting ? NEW + connecting : (chosen ?? '')}
        onChange={choose}
      >
        <div className={classes.choices}>
          {providers.map(({ id, type }) => (
            <Card key={id} value={id} title={id} hint={isVendorType(type) ? words.vendors[type].name : type} />
          ))}
          {VENDOR_TYPES.map((type) => {
            const { name, hint } = words.vendors[type];
            return <Card key={type} value={NEW + type} title={`${text.newProvider}: ${name}`} hint={hint} />;
          })}
        </div>
      </Radio.Group>
      {connecting && (
        <Box mt={16} p={16} bd="1px solid var(--line)" bdrs="md" bg="var(--sheet)">
          {ill && (
            <Alert role="alert" color="red" mb="md" icon={<CircleAlert aria-hidden />} title={capitalized(ill.finding)}>
              {ill.advice && `${capitalized(ill.advice)}. `}
              {text.notConnected}
            </Alert>
          )}
          <ProviderForm
            key={connecting}
            provider={null}
            taken={providers.map(({ id }) => id)}
            type={connecting}
            submit={words.provider.connect}
            onSaved={saved}
            onLoad={() => choose(NEW + connecting)}
          />
        </Box>
      )}
    </>
  );
}

interface CardProps {
  readonly value: string;
  readonly title: string;
  readonly hint: string;
}

function Card({ value, title, hint }: CardProps) {
  return (
    <Radio.Card value={value} className={classes.choice} aria-label={title}>
      <Text span fw={600}>
        {title}
      </Text>
      <Note span>{hint}</Note>
    </Radio.Card>
  );
}
