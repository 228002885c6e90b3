import { Anchor, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import {
  type DryRunResponse,
  personasGetOptions,
  personasListOptions,
  type PersonaSummaryDto,
} from '../../api/index.ts';
import { ErrorNotice, storedPicture, MediaThumb, usePersonaNames } from '../../ui/index.ts';
import classes from './PersonaField.module.css';
import { type RoledSlot, slotRoles } from './slot-roles.ts';
import { words } from './words.ts';

interface PersonaFieldProps {
  readonly pid: number | null;
  readonly error: string | undefined;
  readonly onChange: (pid: number | null) => void;
}

const text = words.persona;
const NONE: readonly PersonaSummaryDto[] = [];

/** The persona to generate with, with its picture. */
export function PersonaField({ pid, error, onChange }: PersonaFieldProps) {
  const { data, error: unlisted, refetch } = useQuery(personasListOptions());
  const nameOf = usePersonaNames(data?.personas ?? NONE);
  const persona = useQuery({ ...personasGetOptions({ path: { persona_id: pid ?? 0 } }), enabled: pid !== null });
  const picture =
    pid === null ? null : (persona.data?.persona.slots.findLast(({ photo }) => photo !== null)?.photo ?? null);
  return (
    <div className={classes.persona}>
      <Select
        size="md"
        leftSection={
          picture === null ? (
            <UserRound size={17} aria-hidden />
          ) : (
            <MediaThumb media={storedPicture(picture)} alt="" width={28} className={classes.face} />
          )
        }
        comboboxProps={{ width: 260, position: 'top-start' }}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': text.none }}
        aria-label={text.label}
        placeholder={text.none}
        nothingFoundMessage={text.nothingFound}
        error={error ?? persona.error?.message}
        data={data?.personas.map((each) => ({ value: String(each.id), label: nameOf(each) })) ?? []}
        value={pid === null ? null : String(pid)}
        onChange={(id) => onChange(id === null ? null : Number(id))}
      />
      {unlisted && !data && <ErrorNotice error={unlisted} onRetry={() => void refetch()} />}
    </div>
  );
}

interface PersonaSlotsProps {
  readonly pid: number;
  /** Inputs that the service makes of the slots. */
  readonly inputs: DryRunResponse['inputs'] | undefined;
}

/** The role of each slot of the persona. */
export function PersonaSlots({ pid, inputs }: PersonaSlotsProps) {
  const persona = useQuery(personasGetOptions({ path: { persona_id: pid } }));
  const slots = persona.data ? slotRoles(persona.data.persona.slots, inputs) : null;
  return (
    <div>
      {slots && (
        <ul className={classes.slots} aria-label={text.slots}>
          {slots.map((slot) => (
            <Slot key={slot.slot.slot} {...slot} />
          ))}
        </ul>
      )}
      {slots?.every(({ role }) => role === 'empty') && (
        <Text size="xs" c="dimmed" mt={6}>
          {text.allEmpty}{' '}
          <Anchor component={Link} to={`/personas/${pid}`} inherit underline="always">
            {text.fill}
          </Anchor>
        </Text>
      )}
    </div>
  );
}

function Slot({ slot, role, position }: RoledSlot) {
  const caption = role === 'reference' ? text.reference(position ?? 1) : text.roles[role ?? 'unknown'];
  return (
    <li className={classes.slot} data-role={role ?? undefined}>
      <span className={classes.picture}>
        {slot.photo === null ? (
          slot.slot
        ) : (
          <MediaThumb media={storedPicture(slot.photo)} alt={text.slot(slot.slot)} width={64} />
        )}
      </span>
      <span className={classes.caption}>{caption}</span>
    </li>
  );
}
