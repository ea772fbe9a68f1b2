import { MemoryDirectory } from './memory-directory.ts';
import { MemoryTeamStore } from './memory-team-store.ts';
import { MemoryUserStore } from './memory-user-store.ts';
import { describeTeamStore } from './team-store.contract.ts';
import { describeUserStore } from './user-store.contract.ts';

function create() {
  const directory = new MemoryDirectory();
  return Promise.resolve({
    users: new MemoryUserStore(directory),
    teams: new MemoryTeamStore(directory),
    sent: () => Promise.resolve(directory.notices.map(({ noticeId }) => noticeId)),
  });
}

describeUserStore('MemoryUserStore', create);
describeTeamStore('MemoryTeamStore', create);
