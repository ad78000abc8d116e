import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

/** What was done, told in a corner. Nothing is told while a page is loaded first, so this is fetched after it. */
export default function Notices() {
  return <Notifications position="bottom-right" autoClose={4000} notificationMaxHeight="25rem" />;
}
