import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { ActionsSection } from './actions-section.tsx';
import { HookSection } from './hook-section.tsx';
import { factsOf, keptReason, kindOf, onlySends, takesAlerts } from './integration.ts';
import { ChangeIntegrationDialog, DeleteDialog, DisableDialog } from './integration-dialogs.tsx';
import styles from './integrations.module.css';
import { keepKey, keptKey, keyPlace } from './key-store.ts';
import { Key } from './key.tsx';
import { allIntegrations, type Integration, integrationQuery } from './queries.ts';
import { ReplaceKeyDialog } from './replace-key-dialog.tsx';
import { SetUpSection } from './set-up-section.tsx';
import { TrafficSection } from './traffic-section.tsx';
import { act } from './write.ts';

/** What an integration is, how tools send alerts to it, and what becomes of these. */
export function IntegrationPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(integrationQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.integrations()}>All integrations</PageLink>
      </p>
      <PageHeading key={id} title={query.data?.name ?? 'Integration'} isReady={!query.isPending} />
      <Loaded query={query} height="60vh">
        {(integration) => <IntegrationParts key={integration.id} integration={integration} />}
      </Loaded>
    </>
  );
}

function IntegrationParts({ integration }: { readonly integration: Integration }): JSX.Element {
  const { id, ownerTeam } = integration;
  const kind = kindOf(integration.type);
  const refused = useTeamChangesRefused(ownerTeam);
  const place = keyPlace(id);
  const [key, setKey] = useState(() => keptKey(place));
  return (
    <>
      <dl className={styles['facts']}>
        {factsOf(integration).map(([name, text]) => (
          <Fact key={name} name={name} text={text} />
        ))}
      </dl>
      <IntegrationActions
        integration={integration}
        refused={refused}
        onReplaced={(replaced) => {
          keepKey(place, replaced);
          setKey(replaced);
        }}
      />
      {key !== undefined && (
        <section aria-labelledby="new-key" className={styles['new']}>
          <h2 id="new-key">Its new key</h2>
          <Key shown={key} place={place} />
        </section>
      )}
      {takesAlerts(kind) && <TrafficSection integrationId={id} />}
      {!(kind === 'key' && onlySends(integration)) && <SetUpSection integration={integration} apiKey={key?.apiKey} />}
      {kind === 'key' && <HookSection integration={integration} apiKey={key?.apiKey} />}
      {takesAlerts(kind) && <ActionsSection integrationId={id} refused={refused} />}
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}

interface IntegrationActionsProps {
  readonly integration: Integration;
  readonly refused: string | undefined;
  readonly onReplaced: Parameters<typeof ReplaceKeyDialog>[0]['onReplaced'];
}

/** What can be done with an integration as a whole. */
function IntegrationActions({ integration, onReplaced, refused }: IntegrationActionsProps): JSX.Element {
  const { enabled, id, name, type } = integration;
  const client = useQueryClient();
  const [opened, setOpened] = useState<'change' | 'replace' | 'disable' | 'delete'>();
  const close = () => {
    setOpened(undefined);
  };
  const enabling = useMutation({
    mutationFn: () => act('enable', id),
    onSuccess: async () => {
      announce(`${name} was enabled.`);
      await client.invalidateQueries(allIntegrations);
    },
  });
  const answering = enabling.isPending ? 'The server is answering.' : undefined;
  const kept = keptReason(integration);
  const noKey = kindOf(type) === 'mail' ? 'It has an address in place of a key.' : undefined;
  const opening = (text: string, reason: string | undefined, kind: NonNullable<typeof opened>) => (
    <Button
      disabledReason={reason}
      onClick={() => {
        setOpened(kind);
      }}
    >
      {text}
    </Button>
  );
  return (
    <>
      {enabling.error !== null && <Problem error={enabling.error} />}
      <div className={ui['row']}>
        {opening('Change', refused, 'change')}
        {opening('Replace the key', noKey ?? refused, 'replace')}
        {enabled ? (
          opening('Disable', kept ?? refused, 'disable')
        ) : (
          <Button
            disabledReason={refused ?? answering}
            onClick={() => {
              enabling.mutate();
            }}
          >
            Enable
          </Button>
        )}
        {opening('Delete', kept ?? refused, 'delete')}
      </div>
      <DialogBoundary key={opened ?? 'none'} onFail={close}>
        {opened === 'change' && <ChangeIntegrationDialog integration={integration} onClose={close} />}
        {opened === 'replace' && <ReplaceKeyDialog integration={integration} onReplaced={onReplaced} onClose={close} />}
        {opened === 'disable' && <DisableDialog integration={integration} onClose={close} />}
        {opened === 'delete' && <DeleteDialog integration={integration} onClose={close} />}
      </DialogBoundary>
    </>
  );
}
