import { useMutation } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { localZone } from '../schedules/time-text.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useNow } from '../ui/use-now.ts';
import { ruleText, rulesWithin } from './hand-over.ts';
import type { ForwardingRule } from './queries.ts';
import { useRulesChanged } from './use-forwarding-write.ts';

/** The forwarding rules of the signed-in person that are not over, and the way to end each. */
export function ForwardingRules({ rules }: { readonly rules: readonly ForwardingRule[] }): JSX.Element | undefined {
  const now = useNow(30_000);
  const [ended, setEnded] = useState<ForwardingRule>();
  const listed = rulesWithin(rules, { from: now });
  if (listed.length === 0 && ended === undefined) return undefined;
  return (
    <>
      <h3>Forwarded</h3>
      <ul>
        {listed.map((rule) => (
          <li key={rule.id}>
            All that pages you goes {ruleText(rule, localZone())}.{' '}
            <Button
              look="plain"
              aria-label={`End the forwarding ${ruleText(rule, localZone())}`}
              onClick={() => {
                setEnded(rule);
              }}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
      {ended !== undefined && (
        <EndDialog
          rule={ended}
          onClose={() => {
            setEnded(undefined);
          }}
        />
      )}
    </>
  );
}

interface EndDialogProps {
  readonly rule: ForwardingRule;
  readonly onClose: () => void;
}

function EndDialog({ onClose, rule }: EndDialogProps): JSX.Element {
  const readAgain = useRulesChanged();
  const end = useMutation({
    mutationFn: () => deleteRule(rule.id),
    onSuccess: async () => {
      announce('The forwarding has ended.');
      onClose();
      await readAgain();
    },
  });
  return (
    <ConfirmDialog
      title="End the forwarding?"
      action="End it"
      write={end}
      onConfirm={() => {
        end.mutate();
      }}
      onClose={onClose}
    >
      <p>The rule is deleted: {ruleText(rule, localZone())}. From now on you are paged yourself.</p>
    </ConfirmDialog>
  );
}

/** A rule that is gone already is done. */
async function deleteRule(id: string): Promise<void> {
  try {
    await call<Answer<'delete-forwarding-rule'>>({ method: 'DELETE', path: `/v2/forwarding-rules/${id}` });
  } catch (error) {
    if (!(error instanceof CallError && error.failure === 'missing')) throw error;
  }
}
