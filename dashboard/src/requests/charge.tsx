import { exactMoney } from '@ocr-router/ui/format/money.ts';
import type { RequestQuery } from '../documents.generated.ts';
import { explainCharge } from './explain-charge.ts';
import classes from './requests.module.css';

/** The charge, line by line. */
export function Charge({ request }: { readonly request: RequestQuery['request'] }) {
  return (
    <table className={classes['charge']}>
      <thead className="kit-visually-hidden">
        <tr>
          <th scope="col">For</th>
          <th scope="col">USD</th>
        </tr>
      </thead>
      <tbody>
        {explainCharge(request).map(({ words, usd }) => (
          <tr key={words}>
            <td>{words}</td>
            <td>{usd === null ? '' : exactMoney(usd)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Charged {request.finishedAt ? 'in all' : 'so far'}</th>
          <td>{exactMoney(request.cost)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
