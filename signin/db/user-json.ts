/**
 * SQL for a user as JSON text (`AccountUser` of tokens/wire.ts), null where there is none. `id` is SQL, too. The database
 * makes the JSON, so that a token answer needs one statement.
 */
export function userJson(id: string): string {
  return `(SELECT json_object('id', u.id, 'email', u.email, 'display_name', u.display_name, 'avatar_url', u.avatar_url,
    'connected_providers', json((SELECT json_group_array(provider) FROM (
      SELECT provider, linked_at AS since FROM identities WHERE user_id = u.id
      UNION ALL SELECT provider, connected_at FROM api_keys WHERE user_id = u.id ORDER BY since, provider))))
    FROM users u WHERE u.id = ${id})`;
}
