import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { Empty } from '../ui/empty.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { type Filter, readinessQuery } from './queries.ts';
import {
  countText,
  type Finding,
  KIND_NAMES,
  type Kind,
  KINDS,
  pageOf,
  type Readiness,
  SEVERITY_NAMES,
  teamsText,
} from './readiness.ts';
import styles from './readiness.module.css';
import { WeeklyMail } from './weekly-mail.tsx';

/** What will go wrong when an alert comes, and where it is mended. */
export function ReadinessPage(): JSX.Element {
  const [filter, setFilter] = useState<Filter>({ teamId: '', kind: '' });
  const query = useQuery(readinessQuery(filter));
  return (
    <>
      <PageHeading title="Readiness" />
      <p>What will go wrong when an alert comes: now, and in the next 14 days.</p>
      <Filters filter={filter} counts={query.data?.counts} onFilter={setFilter} />
      <Loaded query={query} height="16rem">
        {(readiness) => <Findings readiness={readiness} />}
      </Loaded>
      <WeeklyMail />
    </>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  readonly counts: Readiness['counts'] | undefined;
  readonly onFilter: (filter: Filter) => void;
}

function Filters({ counts, filter, onFilter }: FiltersProps): JSX.Element {
  const { data: teams = [] } = useQuery(teamsQuery);
  const named = teams.map(({ id, name }) => ({ value: id, name }));
  const kindName = (kind: Kind): string =>
    counts === undefined ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} (${counts[kind]})`;
  return (
    <div className={styles['filters']}>
      <SelectField
        label="Team"
        value={filter.teamId}
        options={[{ value: '', name: 'All teams' }, ...named]}
        onValue={(teamId) => {
          onFilter({ ...filter, teamId });
        }}
      />
      <SelectField<Kind | ''>
        label="Kind"
        value={filter.kind}
        options={[{ value: '', name: 'All kinds' }, ...KINDS.map((kind) => ({ value: kind, name: kindName(kind) }))]}
        onValue={(kind) => {
          onFilter({ ...filter, kind });
        }}
      />
    </div>
  );
}

function Findings({ readiness }: { readonly readiness: Readiness }): JSX.Element {
  const { computedAt, data, incompleteServices, uncheckedSchedules } = readiness;
  return (
    <>
      <p role="status" className={ui['hint']}>
        {countText(readiness)} As of <Instant at={computedAt} />.
      </p>
      {uncheckedSchedules > 0 && (
        <p>Gaps were not looked for in {uncheckedSchedules} schedules, which have too many shifts.</p>
      )}
      {incompleteServices.length > 0 && <p role="note">Findings are missing of: {incompleteServices.join(', ')}.</p>}
      {data.length === 0 ? (
        <Empty title="Nothing to mend">
          <p>Of what can be said with certainty, nothing goes wrong when an alert comes.</p>
        </Empty>
      ) : (
        <ul className={styles['list']}>
          {data.map((finding) => (
            <Item key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ finding }: { readonly finding: Finding }): JSX.Element {
  const { entity, kind, message, path, periods = [], remedy, severity } = finding;
  const { user } = useSession();
  const page = pageOf(finding, user.username);
  return (
    <li className={styles['finding']} data-severity={severity}>
      <h2>
        <span className={styles['severity']}>{SEVERITY_NAMES[severity]}:</span> {KIND_NAMES[kind]}
      </h2>
      <p>{message}</p>
      {periods.length > 0 && <Periods periods={periods} />}
      <p>
        {remedy}{' '}
        {page === undefined ? (
          <>
            By the API: <code>{path}</code>
          </>
        ) : (
          <PageLink to={page}>Open {entity.name}</PageLink>
        )}
      </p>
      <p className={ui['hint']}>{teamsText(finding)}</p>
    </li>
  );
}

function Periods({ periods }: { readonly periods: NonNullable<Finding['periods']> }): JSX.Element {
  return (
    <details className={styles['periods']}>
      <summary>{periods.length === 1 ? 'When' : `The first ${periods.length} times`}</summary>
      <ul>
        {periods.map(({ endDate, startDate }) => (
          <li key={startDate}>
            <Instant isToMinute at={startDate} /> to <Instant isToMinute at={endDate} />
          </li>
        ))}
      </ul>
    </details>
  );
}
