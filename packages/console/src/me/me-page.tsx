import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Contacts } from './contacts-section.tsx';
import { Devices } from './devices.tsx';
import { Mute } from './mute-section.tsx';
import { NameAndZone } from './profile-section.tsx';
import { personQuery } from './queries.ts';
import { NotificationRules } from './rules-section.tsx';
import { TestAlert } from './test-alert-section.tsx';

/** How the signed-in person is reached, and the ways to change it. */
export function MePage(): JSX.Element {
  const { user } = useSession();
  const person = useQuery(personQuery(user.id));
  return (
    <>
      <PageHeading title="Me" />
      <p>
        How you are reached, {user.fullName} ({user.username}). Where you are signed in:{' '}
        <PageLink to={paths.sessions()}>your sessions</PageLink>.
      </p>
      <Contacts userId={user.id} />
      <Devices userId={user.id} />
      <Mute userId={user.id} />
      <TestAlert />
      <NotificationRules userId={user.id} timeZone={person.data?.timeZone} />
      <NameAndZone userId={user.id} />
    </>
  );
}
