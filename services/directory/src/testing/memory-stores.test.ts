import { describeContactStore } from '../storage/contact-store.contract.ts';
import { MemoryDirectory } from './memory-directory.ts';
import { MemoryRoleStore } from './memory-role-store.ts';
import { MemoryTeamStore } from './memory-team-store.ts';
import { MemoryUserLots } from './memory-user-lots.ts';
import { MemoryUserStore } from './memory-user-store.ts';
import { MemoryVerificationEventStore } from './memory-verification-event-store.ts';
import { describeRoleStore } from '../storage/role-store.contract.ts';
import { describeTeamHistory } from '../storage/team-history.contract.ts';
import { describeTeamStore } from '../storage/team-store.contract.ts';
import { describeUserList } from '../storage/user-list.contract.ts';
import { describeUserLots } from '../storage/user-lots.contract.ts';
import { describeUserStore } from '../storage/user-store.contract.ts';
import { describeVerificationEventStore } from '../storage/verification-event-store.contract.ts';

function create() {
  const directory = new MemoryDirectory();
  return Promise.resolve({
    users: new MemoryUserStore(directory),
    lots: new MemoryUserLots(directory),
    teams: new MemoryTeamStore(directory),
    roles: new MemoryRoleStore(directory),
    verifications: new MemoryVerificationEventStore(directory),
    sent: () => Promise.resolve(directory.notices.map(({ noticeId }) => noticeId)),
  });
}

describeUserStore('MemoryUserStore', create);
describeUserList('MemoryUserStore', create);
describeRoleStore('MemoryRoleStore', create);
describeVerificationEventStore('MemoryVerificationEventStore', create);
describeContactStore('MemoryUserStore', create);
describeUserLots('MemoryUserLots', create);
describeTeamStore('MemoryTeamStore', create);
describeTeamHistory('MemoryTeamStore', create);
