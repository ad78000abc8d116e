import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import type { Profile } from '../../shared/channels.ts';
import { bridge } from '../bridge/bridge.ts';
import { useProfiles } from '../bridge/profiles.tsx';
import { ProfileForm } from './profile-form.tsx';
import classes from './settings.module.css';

/** The gateways that this console knows. */
export function ProfilesSection() {
  const { profiles, selected, known, select, reload } = useProfiles();
  const [edited, setEdited] = useState<Profile | 'new' | null>(null);
  const saved = async (profile: Profile): Promise<void> => {
    setEdited(null);
    await reload();
    if (selected === null) await select(profile.id);
    notifications.show({ message: `${profile.name} was saved.` });
  };
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles" className={classes['heading']}>
        Gateways
        <Button onClick={() => setEdited('new')}>Add a gateway</Button>
      </h2>
      <div className={`kit-panel ${classes['rows']}`}>
        {known && profiles.length === 0 && (
          <Empty title="No gateway yet">A profile is a gateway’s address and an operator’s key.</Empty>
        )}
        {profiles.map((profile, index) => (
          <ProfileRow
            key={profile.id}
            profile={profile}
            place={index + 1}
            isSelected={profile.id === selected?.id}
            onSelect={() => void select(profile.id)}
            onEdit={() => setEdited(profile)}
            onRemoved={() => void reload()}
          />
        ))}
      </div>
      {edited !== null && (
        <ProfileForm
          profile={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={(profile) => void saved(profile)}
        />
      )}
    </section>
  );
}

interface ProfileRowProps {
  readonly profile: Profile;
  /** Its digit with Ctrl. */
  readonly place: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onEdit: () => void;
  readonly onRemoved: () => void;
}

function ProfileRow({ profile, place, isSelected, onSelect, onEdit, onRemoved }: ProfileRowProps) {
  const { id, name, url, colour, production, readOnly, fixed, hasToken } = profile;
  const [removing, setRemoving] = useState(false);
  const remove = (): void => {
    bridge.invoke('profiles.remove', { id }).then(onRemoved, (error: Error) => {
      notifications.show({ color: 'red', title: 'Not removed', message: error.message });
    });
  };
  return (
    <div className={classes['profile']}>
      <span className={classes['dot']} style={{ background: production ? 'var(--production)' : colour }} />
      <div className={classes['profileText']}>
        <div className={classes['profileName']}>
          {name}
          {production && <span className={classes['prod']}>PROD</span>}
          {readOnly && <span className={classes['tag']}>read-only</span>}
          {isSelected && <span className={classes['tag']}>current</span>}
        </div>
        <div className="kit-soft">
          {url}
          {hasToken === false && ' · no key'}
          {place <= 9 && ` · Ctrl+${place}`}
        </div>
      </div>
      {fixed ? (
        <span className="kit-soft">Set by environment variables, not here.</span>
      ) : (
        <Group gap="xs">
          {!isSelected && (
            <Button variant="default" onClick={onSelect}>
              Show
            </Button>
          )}
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
          {removing ? (
            <Button color="red" onClick={remove}>
              Remove with its key
            </Button>
          ) : (
            <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
