import page from '../kit/page.module.css';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ProfilesSection } from './profiles-section.tsx';
import classes from './settings.module.css';

/** Which gateways there are, and how the console looks on this machine. */
export default function SettingsPage() {
  return (
    <div className={classes['page']}>
      <h1 className={page['title']}>Settings</h1>
      <ProfilesSection />
      <AppearanceSection />
      <AboutSection />
    </div>
  );
}
