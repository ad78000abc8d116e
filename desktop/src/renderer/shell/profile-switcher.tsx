import { Badge, Menu, UnstyledButton } from '@mantine/core';
import type { Profile } from '../../shared/channels.ts';
import { useProfiles } from '../bridge/profiles.tsx';
import classes from './shell.module.css';

/** The gateway that is shown, and the way to the others. */
export function ProfileSwitcher() {
  const { profiles, selected, known, select } = useProfiles();
  if (!known) return <span className={classes['profile']} />;
  return (
    <Menu position="bottom-start" shadow="md" width={280}>
      <Menu.Target>
        <UnstyledButton className={classes['profile']}>
          <span className="kit-visually-hidden">Gateway:</span>
          {selected ? <ProfileName profile={selected} /> : 'No gateway'}
          <span aria-hidden>▾</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Gateways</Menu.Label>
        {profiles.map((profile, index) => (
          <Menu.Item
            key={profile.id}
            onClick={() => void select(profile.id)}
            rightSection={index < 9 ? <span className="kit-soft">Ctrl+{index + 1}</span> : undefined}
          >
            <ProfileName profile={profile} />
          </Menu.Item>
        ))}
        {profiles.length === 0 && <Menu.Item disabled>None yet</Menu.Item>}
        <Menu.Divider />
        <Menu.Item component="a" href="#/settings">
          Edit profiles
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ProfileName({ profile }: { readonly profile: Profile }) {
  const { name, colour, production, readOnly } = profile;
  return (
    <span className={classes['profileName']}>
      <span className={classes['dot']} style={{ background: production ? 'var(--production)' : colour }} />
      <span className={classes['profileText']}>{name}</span>
      {production && <span className={classes['prod']}>PROD</span>}
      {readOnly && (
        <Badge size="xs" variant="outline" color="gray">
          read-only
        </Badge>
      )}
    </span>
  );
}
