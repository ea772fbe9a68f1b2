import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import styles from './shell.module.css';
import { LISTED_SHORTCUTS } from './shortcuts.ts';
import { chooseSingleKeys, singleKeysStore } from './single-keys.ts';
import { useStore } from './store.ts';

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Modal title="Shortcuts" onClose={onClose}>
      <table className={styles['keys']}>
        <tbody>
          {LISTED_SHORTCUTS.map(({ effect, keys }) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label className={styles['switch']}>
          <input
            type="checkbox"
            checked={useStore(singleKeysStore)}
            onChange={(event) => {
              chooseSingleKeys(event.target.checked);
            }}
          />
          Use the keys of one character: letters, ? and /
        </label>
      </p>
      <Button onClick={onClose}>Close</Button>
    </Modal>
  );
}
