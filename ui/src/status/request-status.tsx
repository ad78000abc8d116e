import { requestLook } from './request-look.ts';
import classes from './status.module.css';

/** Status of a request or a delivery as a pill with shape and word. The shape is CSS: a list makes hundreds of pills. */
export function RequestStatus({ status }: { readonly status: string }) {
  return (
    <span className={classes['pill']} data-state={requestLook(status)}>
      {status}
    </span>
  );
}
