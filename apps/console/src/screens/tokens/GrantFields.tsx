import { Checkbox, type CheckboxGroupProps, Radio, Stack } from '@mantine/core';
import { type Grant, SCOPES } from './tokens.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

interface GrantFieldsProps {
  readonly grant: Grant;
  readonly onGrant: (grant: Grant) => void;
  /** The field of the scopes that are ticked one by one. */
  readonly scopes: Omit<CheckboxGroupProps, 'children'>;
}

const { grants, scopes: explained } = words;
const GRANTS = Object.keys(grants) as Grant[];

/** Rights of a token: a preset, or scopes one by one. */
export function GrantFields({ grant, onGrant, scopes }: GrantFieldsProps) {
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
