import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { useMayChangeSomeTeam } from '../session/use-rights.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useNow } from '../ui/use-now.ts';
import ui from '../ui/ui.module.css';
import { foundIntegrations, rowNote } from './integration.ts';
import { CreateIntegrationDialog } from './integration-dialogs.tsx';
import styles from './integrations.module.css';
import { allTrafficQuery, integrationsQuery, type ListedIntegration } from './queries.ts';
import { trafficNote } from './traffic.ts';

/** What sends alerts here. */
export function IntegrationsPage(): JSX.Element {
  const query = useQuery(integrationsQuery);
  const [isCreating, setCreating] = useState(false);
  const close = () => {
    setCreating(false);
  };
  return (
    <>
      <PageHeading title="Integrations" />
      <p>What sends alerts here: each tool with a key of its own, or with an address for its mail.</p>
      <CreateButton
        onCreate={() => {
          setCreating(true);
        }}
      />
      <Loaded query={query} height="16rem">
        {(integrations) =>
          integrations.length === 0 ? (
            <Empty title="No integrations">
              <p>Create one for each tool that sends alerts, so that its key can be replaced or disabled alone.</p>
            </Empty>
          ) : (
            <IntegrationList integrations={integrations} />
          )
        }
      </Loaded>
      <DialogBoundary key={String(isCreating)} onFail={close}>
        {isCreating && <CreateIntegrationDialog onClose={close} />}
      </DialogBoundary>
    </>
  );
}

function CreateButton({ onCreate }: { readonly onCreate: () => void }): JSX.Element {
  const mayCreate = useMayChangeSomeTeam();
  return (
    <div className={styles['bar']}>
      <Button
        look="primary"
        disabledReason={mayCreate ? undefined : 'Only an admin of a team, or of the account, can create one.'}
        onClick={onCreate}
      >
        Create an integration
      </Button>
    </div>
  );
}

/** How many are listed before a person searches. */
const MAX_LISTED = 200;

function IntegrationList({ integrations }: { readonly integrations: readonly ListedIntegration[] }): JSX.Element {
  const { data: teams = [] } = useQuery(teamsQuery);
  const [text, setText] = useState('');
  const found = foundIntegrations(integrations, teams, text);
  const traffic = useQuery(allTrafficQuery);
  const lastById = new Map(traffic.data?.map((last) => [last.integrationId, last]));
  const now = useNow(30_000);
  return (
    <>
      <TextField
        label="Name, type or team"
        type="search"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
      />
      <p role="status" className={ui['hint']}>
        {found.length > MAX_LISTED ? `The first ${MAX_LISTED} of ${found.length}.` : `Integrations: ${found.length}.`}
      </p>
      <ul className={styles['list']}>
        {found.slice(0, MAX_LISTED).map((row) => (
          <li key={row.id}>
            <PageLink to={paths.integration(row.id)}>{row.name}</PageLink>
            <div className={ui['hint']}>{rowNote(row)}</div>
            <div className={ui['hint']}>{traffic.data && trafficNote(row.type, lastById.get(row.id) ?? {}, now)}</div>
          </li>
        ))}
      </ul>
    </>
  );
}
