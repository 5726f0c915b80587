import type { MailTexts } from "./mail-kinds.ts";

/** Mails in French. */
export const FRENCH: MailTexts = {
  mails: {
    signup_code: [
      "Terminez la création de votre compte",
      "Quelqu’un, vous espérons-nous, crée un compte sur {host} avec cette adresse.",
      "Si ce n’était pas vous, ignorez ce message : sans le code, aucun compte n’est créé.",
    ],
    account_exists: [
      "Vous avez déjà un compte",
      "Quelqu’un, vous espérons-nous, a voulu créer un compte sur {host} avec cette adresse. Elle en a déjà un.",
      "Connectez-vous comme auparavant. Si vous avez oublié votre mot de passe, ou n’en avez jamais eu, réinitialisez-le là-bas.",
      "Si ce n’était pas vous, ignorez ce message : rien n’a changé.",
    ],
    reset_code: [
      "Définir un nouveau mot de passe",
      "Quelqu’un, vous espérons-nous, veut définir un nouveau mot de passe pour votre compte sur {host}.",
      "Un nouveau mot de passe met fin à toutes les sessions. Il ne retire pas les fournisseurs associés : vérifiez-les une fois la connexion faite.",
      "Si ce n’était pas vous, ignorez ce message : votre mot de passe reste le même.",
    ],
    login_code: [
      "Votre code de connexion",
      "Quelqu’un, vous espérons-nous, veut se connecter à votre compte sur {host}.",
      "Si ce n’était pas vous, ignorez ce message : sans le code, cette connexion s’arrête là.",
    ],
    password_code: [
      "Votre code pour changer le mot de passe",
      "Une personne connectée à votre compte sur {host}, vous espérons-nous, veut changer son mot de passe.",
    ],
    delete_code: [
      "Votre code pour supprimer le compte",
      "Une personne connectée à votre compte sur {host}, vous espérons-nous, veut le supprimer. C’est irréversible.",
    ],
    reauthentication_code: [
      "Votre code pour confirmer que c’est vous",
      "Une personne connectée à votre compte sur {host}, vous espérons-nous, veut modifier sa protection et le confirme d’abord.",
    ],
    email_code: [
      "Confirmez votre nouvelle adresse",
      "Quelqu’un, vous espérons-nous, veut utiliser cette adresse pour un compte sur {host}.",
      "Si ce n’était pas vous, ignorez ce message : sans le code, rien ne change.",
    ],
    email_taken: [
      "Votre adresse a été demandée",
      "Quelqu’un, vous espérons-nous, a voulu utiliser cette adresse pour un autre compte sur {host}. Elle appartient à votre compte.",
      "Si ce n’était pas vous, ignorez ce message : rien n’a changé.",
    ],
    email_requested: [
      "Votre compte va changer d’adresse",
      "Une personne connectée à votre compte, vous espérons-nous, veut lui donner une autre adresse. Un code y a été envoyé ; tant qu’il n’est pas saisi, rien ne change.",
    ],
    email_changed_from: [
      "L’adresse de votre compte a été changée",
      "Votre compte utilise maintenant une autre adresse, confirmée par un code envoyé. Les codes et avis du compte n’arrivent plus ici.",
      "Si ce n’était pas vous : connectez-vous tout de suite sur {url}, fermez toutes les autres sessions et rétablissez l’adresse. Si la connexion échoue, adressez-vous à l’opérateur de {host}.",
    ],
    email_changed_to: [
      "L’adresse de votre compte a été changée",
      "Votre compte utilise maintenant cette adresse. Les codes et avis du compte arrivent désormais ici.",
      "Si vous n’avez pas de compte sur {host}, une personne ayant accès à cette boîte y a pris un code : sécurisez votre boîte aux lettres.",
    ],
    provider_email_from: [
      "L’adresse de votre compte a été changée",
      "{provider} indique une autre adresse pour vous. Votre compte sur {host} utilise maintenant celle-là.",
      "Les codes et avis du compte n’arrivent plus ici.",
      "Si vous n’avez pas changé d’adresse chez {provider}, vérifiez votre compte là-bas, puis connectez-vous sur {host} et fermez toutes les sessions.",
    ],
    provider_email_to: [
      "L’adresse de votre compte a été changée",
      "{provider} indique cette adresse pour vous. Votre compte sur {host} l’utilise maintenant.",
      "Les codes et avis du compte arrivent désormais ici.",
      "Si vous n’avez pas de compte sur {host}, vérifiez qui utilise cette adresse chez {provider}.",
    ],
    identity_linked: [
      "Un moyen de connexion a été ajouté à votre compte",
      "{provider} a été associé. Une identité de {provider} peut maintenant se connecter à votre compte.",
    ],
    identity_removed: [
      "Un moyen de connexion a été retiré de votre compte",
      "{provider} a été dissocié et ne peut plus se connecter à votre compte.",
    ],
    passkey_added: [
      "Une clé d’accès a été ajoutée à votre compte",
      "Une clé d’accès a été ajoutée. Elle peut maintenant se connecter à votre compte.",
    ],
    passkey_removed: [
      "Une clé d’accès a été retirée de votre compte",
      "Une clé d’accès a été retirée. Elle ne peut plus se connecter à votre compte.",
    ],
    api_key_connected: [
      "Une clé d’API a été associée à votre compte",
      "Une clé d’API de {provider} a été associée. Elle remplace la précédente, s’il y en avait une.",
    ],
    api_key_removed: [
      "Une clé d’API a été retirée de votre compte",
      "La clé d’API de {provider} a été retirée.",
    ],
    new_device: [
      "Votre compte a été utilisé sur un nouvel appareil",
      "Un appareil s’est connecté à votre compte pour la première fois. Si c’était le vôtre, il n’y a rien à faire.",
    ],
    password_set: [
      "Votre compte a maintenant un mot de passe",
      "Un mot de passe a été défini avec un code envoyé à cette adresse. Toutes les autres sessions sont closes.",
    ],
    password_changed: [
      "Votre mot de passe a été changé",
      "Le mot de passe a été changé avec un code envoyé à cette adresse. Toutes les autres sessions sont closes.",
    ],
    password_replaced: [
      "Votre mot de passe a été changé",
      "Le mot de passe a été changé par une personne qui a saisi l’ancien. Toutes les autres sessions sont closes.",
    ],
    account_deleted: [
      "Votre compte a été supprimé",
      "Votre compte a été supprimé, avec ses moyens de connexion, ses sessions et ses clés d’API.",
      "Si ce n’était pas vous, sécurisez votre boîte aux lettres et adressez-vous à l’opérateur de {host}.",
    ],
  },
  words: {
    code: "Votre code : {code}",
    once: "Il sert une seule fois, pendant {minutes} minutes. Saisissez-le là où vous l’avez demandé, et ne le communiquez pas.",
    onceLong:
      "Beaucoup de codes ont été demandés aujourd’hui ; celui-ci est donc long. Il sert une seule fois, pendant {hours} heures, et aucun autre n’est envoyé avant. Copiez-le là où vous l’avez demandé, et ne le communiquez pas.",
    account: "Compte : {host}\nHeure : {time}",
    from: ", depuis le réseau {network}",
    device: "Appareil : {device}",
    ways: "Moyens de connexion actuels :",
    password: "mot de passe",
    passkey: "clé d’accès",
    since: "{name}, depuis le {time}",
    apiKeys: "Clés d’API :",
    providersStay:
      "Un nouveau mot de passe ne retire aucun fournisseur : chacun de la liste peut encore se connecter à votre compte.",
    disconnect: "Dissociez sur {url} ceux que vous ne connaissez pas.",
    secureMailbox:
      "Si ce n’était pas vous : sécurisez d’abord votre boîte aux lettres, puis définissez là-bas un nouveau mot de passe.",
    remedy:
      "Si ce n’était pas vous : définissez un nouveau mot de passe sur {url} (« Mot de passe oublié ? »), ce qui met fin à toutes les sessions. Puis dissociez ce que vous ne connaissez pas.",
    intruder:
      "Si ce n’était pas vous, quelqu’un d’autre est connecté à votre compte : définissez un nouveau mot de passe sur {url} (« Mot de passe oublié ? »), ce qui met fin à toutes les sessions.",
  },
};
