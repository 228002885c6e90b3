import { Kbd, Modal } from '@mantine/core';
import { useStore } from '../state/index.ts';
import { keysDialog, MOD } from './keys.ts';
import { PLACES, useIsOffered } from './navigation.ts';
import classes from './Navigation.module.css';
import { words } from './words.ts';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [[MOD, 'K'], words.keysOf.palette],
  [['?'], words.keysOf.help],
  [['Esc'], words.keysOf.close],
];

export function KeysDialog() {
  const places = PLACES.filter(useIsOffered());
  const keysOfPlaces = places.map(({ key, label }) => [['g', key], words.keysOf.go(label)] as const);
  return (
    <Modal opened={useStore(keysDialog)} onClose={() => keysDialog.set(false)} title={words.keys}>
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
