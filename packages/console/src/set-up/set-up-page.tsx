import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { ProfileForm } from '../profile/profile-form.tsx';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { IntegrationStep } from './integration-step.tsx';
import { SET_UP, setUpQuery, type SetUp } from './queries.ts';
import styles from './set-up.module.css';
import { StepForm } from './step-form.tsx';
import { isCovered, type Step, type StepName, stepsOf } from './steps.ts';
import { TestAlertStep } from './test-alert-step.tsx';
import { setUpRefused } from './set-up-rights.ts';
import { invite, makeTeam } from './writes.ts';

/** The five steps from an empty account to a page. */
export function SetUpPage(): JSX.Element {
  const { role, user } = useSession();
  const refused = setUpRefused(role);
  const query = useQuery(setUpQuery(user.id));
  return (
    <>
      <PageHeading title="Set up" />
      <p>Five steps to the first page. They can be done in any order, and again; what is done is marked.</p>
      <Loaded query={query} height="40rem">
        {(setUp) => (
          <ol className={styles['steps']}>
            {stepsOf(setUp).map((step) => (
              <StepItem key={step.name} step={step}>
                <StepContent name={step.name} setUp={setUp} refused={refused ?? step.missing} />
              </StepItem>
            ))}
          </ol>
        )}
      </Loaded>
    </>
  );
}

const TITLES: Readonly<Record<StepName, string>> = {
  you: 'Your name and time zone',
  team: 'Your team, and who is on call first',
  people: 'Who else is in it',
  integration: 'What sends alerts',
  test: 'A test alert',
};

function StepItem({ children, step }: { readonly step: Step; readonly children: ReactNode }): JSX.Element {
  return (
    <li className={styles['step']} data-done={step.isDone}>
      <h2>
        {TITLES[step.name]}
        {step.isDone && <span className={styles['done']}> ✓ done</span>}
      </h2>
      {children}
    </li>
  );
}

interface StepContentProps {
  readonly name: StepName;
  readonly setUp: SetUp;
  readonly refused: string | undefined;
}

function StepContent({ name, refused, setUp }: StepContentProps): JSX.Element {
  switch (name) {
    case 'you':
      return <YouStep setUp={setUp} refused={refused} />;
    case 'team':
      return <TeamStep setUp={setUp} refused={refused} />;
    case 'people':
      return <PeopleStep setUp={setUp} refused={refused} />;
    case 'integration':
      return <IntegrationStep setUp={setUp} refused={refused} />;
    case 'test':
      return <TestAlertStep setUp={setUp} refused={refused} />;
  }
}

type StepProps = Omit<StepContentProps, 'name'>;

function YouStep({ refused, setUp: { me } }: StepProps): JSX.Element {
  const client = useQueryClient();
  const isNew = me.fullName === me.username;
  return (
    <ProfileForm
      person={me}
      proposed={isNew ? { fullName: '', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone } : undefined}
      disabledReason={refused}
      onSaved={() => client.invalidateQueries({ queryKey: SET_UP })}
    />
  );
}

function TeamStep({ refused, setUp }: StepProps): JSX.Element {
  const { me, schedule, team } = setUp;
  if (team !== undefined && isCovered(schedule)) {
    return (
      <p>
        {team.name} has {schedule?.name}, a schedule that says who is on call. Its pages go to them, to the next one
        after 5 minutes, and to all members after 10.
      </p>
    );
  }
  const explained = 'You are its admin, and on call each week from Monday, 09:00, until you add others.';
  return team === undefined ? (
    <>
      <p>{explained}</p>
      <StepForm
        defaults={{ name: '' }}
        fields={{ name: { label: 'Name of the team', hint: 'Such as Payments.', autoComplete: 'off' } }}
        action="Create the team"
        done="The team was created, and you are on call."
        disabledReason={refused}
        onSubmit={({ name }) => makeTeam(setUp, name, new Date())}
      />
    </>
  ) : (
    <>
      <p>No user is on call in {team.name} yet.</p>
      <StepForm
        defaults={{}}
        fields={{}}
        action="Put me on call"
        done="You are on call."
        disabledReason={refused}
        onSubmit={() => makeTeam({ me, team }, team.name, new Date())}
      />
    </>
  );
}

function PeopleStep({ refused, setUp: { team } }: StepProps): JSX.Element {
  return (
    <>
      {team && (
        <p>
          In {team.name}: {team.members.map(({ user }) => user.username).join(', ')}.
        </p>
      )}
      <p>They get an invitation by mail, and take turns on call.</p>
      <StepForm
        isEmptiedWhenDone
        defaults={{ username: '', fullName: '' }}
        fields={{
          username: { label: 'Mail address', type: 'email', autoComplete: 'off' },
          fullName: { label: 'Full name of this person', autoComplete: 'off' },
        }}
        action="Invite"
        done="The invitation was sent."
        disabledReason={refused}
        onSubmit={async (input) => {
          if (team !== undefined) await invite(team, input);
        }}
      />
    </>
  );
}
