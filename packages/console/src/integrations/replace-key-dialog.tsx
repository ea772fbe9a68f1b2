import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { kindOf } from './integration.ts';
import type { ListedIntegration } from './queries.ts';
import { replaceKey, type ShownKey } from './write.ts';

interface ReplaceKeyDialogProps {
  readonly integration: Pick<ListedIntegration, 'id' | 'name' | 'type'>;
  readonly onReplaced: (key: ShownKey) => void;
  readonly onClose: () => void;
}

/** Asks before the key of an integration is replaced, and says what breaks. */
export function ReplaceKeyDialog({ integration, onClose, onReplaced }: ReplaceKeyDialogProps): JSX.Element {
  const { id, name, type } = integration;
  const write = useMutation({
    mutationFn: () => replaceKey(id),
    onSuccess: (key) => {
      onReplaced(key);
      onClose();
      announce('The key was replaced.');
    },
  });
  return (
    <ConfirmDialog
      title={`Replace the key of ${name}?`}
      action="Replace it"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>
        Tools that send alerts with the present key can do so for a while, and are refused after that. The page says
        until when.
      </p>
      {kindOf(type) === 'webhook' && (
        <p>Its posts are signed with the new key at once, and for that while with the present one too.</p>
      )}
    </ConfirmDialog>
  );
}
