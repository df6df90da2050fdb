//! `lawful allow`: a person lets one denied call through.

use std::time::SystemTime;

use lawful::syntax::escape;
use serde::Serialize;

use super::grant::Grants;
use super::outcome::PERSON;
use crate::answer::Answer;
use crate::decision_log::{
    DecisionKind, DecisionLog, EnforcementMode, LoggedDecision, new_id, written_time,
};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// A denied call that a person may let through.
#[derive(Clone, Debug)]
pub struct DeniedCall {
    /// The decision.
    pub decision: LoggedDecision,
    /// The hash of the call.
    call: String,
}

/// `{"decision", "allowed", "expires"?}`: the result of `lawful allow`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllowedCall {
    /// The id of the decision.
    pub decision: String,
    /// Whether the person let the call through.
    pub allowed: bool,
    /// Until when the call must be made, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

impl AllowedCall {
    /// `No` if the person refused.
    pub fn answer(&self) -> Answer {
        Answer::of(self.allowed)
    }
}

impl Workspace {
    /// The denied call with the id of a decision.
    pub fn denied_call(&self, id: &str) -> Result<DeniedCall, Failure> {
        let found = DecisionLog::of(&self.state()?).find(id).map_err(|error| {
            let message = format!("cannot read the log of decisions: {error}");
            Failure::usage(message, "check the state folder")
        })?;
        let help = "`lawful log --decision deny` lists denied calls with their ids";
        let Some(decision) = found else {
            let message = format!("the log has no decision `{}`", escape::name(id));
            return Err(Failure::usage(message, help));
        };
        let denied = matches!(decision.decision, DecisionKind::Deny | DecisionKind::Ask);
        match decision.call.clone().filter(|_| denied) {
            Some(call) => Ok(DeniedCall { decision, call }),
            None => {
                let message = format!("decision `{}` did not deny a tool call", escape::name(id));
                Err(Failure::usage(message, help))
            }
        }
    }

    /// Records what a person said about a denied call. Only a front end that asked a person may call
    /// this.
    pub fn answer_denied_call(
        &self,
        denied: &DeniedCall,
        allowed: bool,
    ) -> Result<AllowedCall, Failure> {
        let decision = denied.decision.id.clone();
        if !allowed {
            return Ok(AllowedCall { decision, allowed, expires: None });
        }
        let state = self.state()?;
        let failed = |error: std::io::Error| {
            let message = format!("cannot let the call through: {error}");
            Failure::usage(message, "check the state folder")
        };
        let logged = LoggedDecision {
            id: new_id().map_err(failed)?,
            time: written_time(SystemTime::now()),
            event: "person:allowed".to_owned(),
            decision: DecisionKind::Allow,
            by: vec![PERSON.to_owned()],
            ms: 0.0,
            mode: EnforcementMode::Enforce,
            reason: None,
            overrides: Some(decision.clone()),
            ..denied.decision.clone()
        };
        // Logged first: nothing is let through that the log does not show.
        DecisionLog::of(&state).append(&logged).map_err(failed)?;
        let expires = Grants::of(&state).give(&denied.call, &decision).map_err(failed)?;
        Ok(AllowedCall { decision, allowed, expires: Some(written_time(expires)) })
    }
}
