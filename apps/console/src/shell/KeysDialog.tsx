import { Kbd, Modal } from '@mantine/core';
import { useStore } from '../state/index.ts';
import { words } from '../words.ts';
import { keysDialog, MOD } from './keys.ts';
import { PLACES, useIsOffered } from './navigation.ts';
import classes from './Navigation.module.css';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [[MOD, 'K'], words.shell.keysOf.palette],
  [['?'], words.shell.keysOf.help],
  [['Esc'], words.shell.keysOf.close],
];

export function KeysDialog() {
  const places = PLACES.filter(useIsOffered());
  const keysOfPlaces = places.map(({ key, label }) => [['g', key], words.shell.keysOf.go(label)] as const);
  return (
    <Modal opened={useStore(keysDialog)} onClose={() => keysDialog.set(false)} title={words.shell.keys}>
      <dl className={classes.keys}>
        {[...KEYS, ...keysOfPlaces].map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>{meaning}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
