import type { ParameterizedContext } from 'koa';
import type { AuditSource } from '../../../storage/users/audit-log.js';
import { clientName } from '../../../storage/users/client-name.js';
import type { RequestState } from '../../context.js';

/** Where a request of a client comes from, for the events of its user. */
export const auditSourceOf = ({ state, req }: ParameterizedContext<RequestState>): AuditSource => ({
  address: state.network,
  client: clientName(req.headers['user-agent']),
});
